package dev.superstep.bench.measure;

/// How long something took. Immutable.
///
/// @param micros by the clock on the wall
/// @param cpuMicros on processors, by all threads of this process
/// @param allocatedBytes by all threads of this process
public record Span(double micros, double cpuMicros, long allocatedBytes) {
  private static final double NANOS_PER_MICRO = 1_000;

  /// What is to be timed.
  @FunctionalInterface
  public interface Body {
    /// Does it.
    void run() throws Exception;
  }

  /// Does it once.
  public static Span of(Body body) throws Exception {
    long allocated = Heap.allocatedBytes();
    long cpu = ProcessClock.nanos();
    long start = System.nanoTime();
    body.run();
    long end = System.nanoTime();
    double cpuMicros = (ProcessClock.nanos() - cpu) / NANOS_PER_MICRO;
    return new Span((end - start) / NANOS_PER_MICRO, cpuMicros, Heap.allocatedBytes() - allocated);
  }

  /// The wall time alone, with less overhead.
  public static double micros(Body body) throws Exception {
    long start = System.nanoTime();
    body.run();
    return (System.nanoTime() - start) / NANOS_PER_MICRO;
  }
}
