package dev.superstep.server.options;

/// The most that a service keeps, all of its processes together. Immutable.
///
/// @param threads those that clients know of
/// @param waitingRuns runs that wait for their turn or their time
/// @param eventBytes of the events of one run, which are kept for a while after its end; a run with
///   more goes on, but its stream ends with an error
public record Quotas(long threads, long waitingRuns, long eventBytes) {
  private static final Quotas DEFAULTS = new Quotas(1_000_000, 10_000, 256L * 1024 * 1024);

  public Quotas {
    atLeastOne("threads", threads);
    atLeastOne("waitingRuns", waitingRuns);
    atLeastOne("eventBytes", eventBytes);
  }

  /// A million threads, 10,000 runs that wait, and 256 MiB for the events of a run.
  public static Quotas defaults() {
    return DEFAULTS;
  }

  /// With more or fewer threads.
  public Quotas withThreads(long most) {
    return new Quotas(most, waitingRuns, eventBytes);
  }

  /// With more or fewer runs that wait.
  public Quotas withWaitingRuns(long most) {
    return new Quotas(threads, most, eventBytes);
  }

  /// With more or less room for the events of a run.
  public Quotas withEventBytes(long most) {
    return new Quotas(threads, waitingRuns, most);
  }

  private static void atLeastOne(String name, long value) {
    if (value < 1) throw new IllegalArgumentException(name + " must be at least 1, was " + value);
  }
}
