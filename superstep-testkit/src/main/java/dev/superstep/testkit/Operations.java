package dev.superstep.testkit;

import dev.superstep.checkpoint.Checkpointer;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/// Calls to a checkpointer, in order. Immutable.
record Operations(List<Operation> all) {
  private static final int MANY = 40;
  private static final AtomicLong CASES = new AtomicLong();

  /// The kinds of calls.
  enum Kind {
    COMMIT,
    COMMIT_INSIDE,
    SAVE_TASK,
    SAVE_STEP,
    ANSWER,
    APPEND,
    FORK,
    COPY,
    PRUNE,
    DELETE_RUN,
    DELETE,
    TRIM,
    TAKE_OVER,
    RELEASE,
    COMPACT
  }

  /// A call. The numbers select its arguments, depending on the content of the store.
  ///
  /// @param thread whose it is
  /// @param other another thread, where two are needed
  record Operation(Kind kind, int thread, int other, int first, int second) {}

  static Gen<Operations> any() {
    return choices ->
        new Operations(
            choices.list(
                MANY,
                each ->
                    new Operation(
                        kind(each), each.below(3), each.below(3), each.below(50), each.below(50))));
  }

  private static Kind kind(Choices choices) {
    // Most of them write, so that there is something to remove.
    return choices.chance(50)
        ? choices.of(Kind.COMMIT, Kind.COMMIT_INSIDE)
        : choices.of(Kind.values());
  }

  /// Fails unless a store does all of them as the one in memory does. It may hold other threads.
  void agree(Checkpointer store) {
    var pair = new StorePair(CompleteCheckpointer.of(store), "case-" + CASES.incrementAndGet());
    for (var operation : all) pair.run(operation);
    pair.agrees();
  }
}
