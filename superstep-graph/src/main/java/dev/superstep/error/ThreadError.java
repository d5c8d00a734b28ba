package dev.superstep.error;

import dev.superstep.json.SuperstepException;

/// A thread cannot be used as it was asked. The thread is unchanged.
public final class ThreadError extends SuperstepException {
  private final String thread;
  private final Reason reason;

  /// Why a thread cannot be used.
  public enum Reason {
    /// Nothing is stored under this name.
    UNKNOWN,
    /// It has work left, so it takes no new input before it is resumed.
    UNFINISHED,
    /// Its checkpoints were written by another graph, or by another shape of this one.
    OTHER_GRAPH,
    /// Someone else moved it on while this run was at work.
    MOVED_ON,
    /// There is one of this name already.
    TAKEN,
    /// A subgraph remembers a checkpoint that its store no longer has.
    MEMORY_LOST,
    /// Subgraphs are saved in other stores, which were not named.
    ELSEWHERE
  }

  public ThreadError(String thread, Reason reason, String message) {
    super(
        "thread." + reason.name().toLowerCase(java.util.Locale.ROOT).replace('_', '-'),
        "Thread `" + thread + "` " + message);
    this.thread = thread;
    this.reason = reason;
  }

  /// The thread.
  public String thread() {
    return thread;
  }

  /// Why.
  public Reason reason() {
    return reason;
  }
}
