package dev.superstep.node;

/// Makes ids of runs, checkpoints and messages. Safe for many threads.
@FunctionalInterface
public interface Ids {
  /// An id that was never given before and sorts after all given before by this source.
  String next();

  /// Tells the source of an id that another process gave, whose clock may be ahead. What a source
  /// with a clock gives from now on sorts after it.
  default void seen(String id) {}

  /// Ids of the form UUID version 7 (RFC 9562): milliseconds, a counter, then random bits.
  static Ids timeOrdered() {
    return TimeOrderedIds.SHARED;
  }
}
