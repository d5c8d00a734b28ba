package dev.superstep.repl.config;

import dev.superstep.json.SuperstepException;

/// A configuration of a run by programs cannot be used.
public final class InvalidReplConfig extends SuperstepException {
  private static final long serialVersionUID = 1;

  private final String key;

  InvalidReplConfig(String key, String what) {
    super("repl.invalid-config", (key.isEmpty() ? "The configuration " : "`" + key + "` ") + what);
    this.key = key;
  }

  /// The key that is wrong, such as `policy.turns`; empty if it is the whole.
  public String key() {
    return key;
  }
}
