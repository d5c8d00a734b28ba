package dev.superstep.repl.internal.call;

/// The kinds of calls that a session counts.
public enum CallKind {
  MODEL("model"),
  TOOL("tool"),
  AGENT("agent"),
  GRAPH("graph"),
  STORE("store"),
  DEFINITION("definition"),
  LANGUAGE("language"),
  EMIT("emit");

  private final String label;

  CallKind(String label) {
    this.label = label;
  }

  /// Its stored name.
  public String label() {
    return label;
  }
}
