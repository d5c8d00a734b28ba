package dev.superstep.checkpoint;

import dev.superstep.json.SuperstepException;
import java.time.Instant;

/// Somebody else is at work on the thread. Nothing was changed.
public final class ThreadBusy extends SuperstepException {
  private final String thread;
  private final String owner;
  private final Instant until;

  /// @param owner who is at work
  /// @param until when its lease ends, unless it is renewed
  public ThreadBusy(String thread, String owner, Instant until) {
    super(
        "thread.busy",
        ("Thread `%s` is at work in %s, whose lease ends at %s unless it is renewed. Wait"
                + " for it, cancel it there, or break its lease if it is dead (`superstep threads"
                + " break`).")
            .formatted(thread, owner, until));
    this.thread = thread;
    this.owner = owner;
    this.until = until;
  }

  /// The thread.
  public String thread() {
    return thread;
  }

  /// Who is at work on it.
  public String owner() {
    return owner;
  }

  /// When its lease ends, unless it is renewed.
  public Instant until() {
    return until;
  }
}
