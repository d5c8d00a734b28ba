package dev.superstep.node;

/// Makes ids of runs, checkpoints and messages. Safe for many threads.
@FunctionalInterface
public interface Ids {
  /// An id that was never given before and sorts after all given before by this source.
  String next();

  /// Ids of the form UUID version 7 (RFC 9562): milliseconds, a counter, then random bits.
  static Ids timeOrdered() {
    return TimeOrderedIds.SHARED;
  }
}
