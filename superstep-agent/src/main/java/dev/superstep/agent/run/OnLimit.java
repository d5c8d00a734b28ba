package dev.superstep.agent.run;

/// The policy of an agent at one of its limits.
public enum OnLimit {
  /// The run throws [LimitReached].
  FAIL,
  /// The run returns what it has. Tool calls that were left open are answered with an error, so
  /// that the conversation can go on.
  RETURN_PARTIAL
}
