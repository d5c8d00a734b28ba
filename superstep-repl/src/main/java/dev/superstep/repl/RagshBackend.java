package dev.superstep.repl;

import dev.superstep.repl.host.Capabilities;

/// The built-in interpreter. Immutable.
record RagshBackend(String name) implements SessionBackend {
  static final SessionBackend RAGSH = new RagshBackend("ragsh");

  @Override
  public String language() {
    return "The language is Python's surface without imports, classes and files. `re`, `json`,"
        + " `math` and `text` are there.";
  }

  @Override
  public CellSession open(ReplPolicy policy, Capabilities host) {
    return ReplSession.open(policy, host);
  }
}
