package dev.superstep.language.rag;

/// A block in which items stand.
public enum Scope {
  GRAPH("a graph"),
  NODE("a node"),
  START("`start`"),
  DEFAULTS("`defaults`"),
  NODE_DEFAULTS("the `node` part of `defaults`");

  private final String noun;

  Scope(String noun) {
    this.noun = noun;
  }

  /// The words for it in a message.
  public String noun() {
    return noun;
  }

  /// Returns whether the items of the block are written like the entries of an object, so that a
  /// colon may follow the keyword and a comma the value.
  public boolean isObject() {
    return this == DEFAULTS || this == NODE_DEFAULTS;
  }
}
