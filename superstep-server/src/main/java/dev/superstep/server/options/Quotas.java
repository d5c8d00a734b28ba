package dev.superstep.server.options;

/// The most that a service keeps, all of its processes together. Immutable.
///
/// @param threads those that clients know of
/// @param waitingRuns runs that wait for their turn or their time
public record Quotas(long threads, long waitingRuns) {
  private static final Quotas DEFAULTS = new Quotas(1_000_000, 10_000);

  public Quotas {
    atLeastOne("threads", threads);
    atLeastOne("waitingRuns", waitingRuns);
  }

  /// A million threads and 10,000 runs that wait.
  public static Quotas defaults() {
    return DEFAULTS;
  }

  /// With more or fewer threads.
  public Quotas withThreads(long most) {
    return new Quotas(most, waitingRuns);
  }

  /// With more or fewer runs that wait.
  public Quotas withWaitingRuns(long most) {
    return new Quotas(threads, most);
  }

  private static void atLeastOne(String name, long value) {
    if (value < 1) throw new IllegalArgumentException(name + " must be at least 1, was " + value);
  }
}
