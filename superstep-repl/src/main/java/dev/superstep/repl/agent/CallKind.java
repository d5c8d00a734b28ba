package dev.superstep.repl.agent;

/// The kinds of calls that a session counts.
enum CallKind {
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
  String label() {
    return label;
  }
}
