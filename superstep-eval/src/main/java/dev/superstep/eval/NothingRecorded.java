package dev.superstep.eval;

import dev.superstep.json.SuperstepException;

/// A thread that cannot become a case.
public final class NothingRecorded extends SuperstepException {
  private static final long serialVersionUID = 1;

  private final String thread;

  NothingRecorded(String thread, String why) {
    super("eval.nothing-recorded", "Thread `" + thread + "` cannot become a case: " + why + ".");
    this.thread = thread;
  }

  /// The thread.
  public String thread() {
    return thread;
  }
}
