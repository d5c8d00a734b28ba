package dev.superstep.checkpoint;

import dev.superstep.json.SuperstepException;

/// A write showed a lease that is not the newest of its thread any more: its time was over and
/// somebody else took over, or the thread was deleted. The write was refused.
public final class LeaseLost extends SuperstepException {
  private final Lease lease;

  /// @param lease what was shown
  public LeaseLost(Lease lease) {
    super(
        "thread.lease-lost",
        ("Thread `%s` is not held by %s any more: its lease ran out and another took over,"
                + " or the thread was deleted. What this run saved before is kept; look at the"
                + " thread's newest state.")
            .formatted(lease.thread(), lease.owner()));
    this.lease = lease;
  }

  /// The lease that the write showed.
  public Lease lease() {
    return lease;
  }
}
