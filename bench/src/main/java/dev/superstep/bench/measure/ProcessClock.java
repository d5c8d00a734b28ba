package dev.superstep.bench.measure;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.management.ManagementFactory;

/// The processor time of this process. Asks the system itself where it can, since the JDK's own
/// answer ticks in steps of 10 ms on Linux. Safe for many threads.
final class ProcessClock {
  private static final int CLOCK_PROCESS_CPUTIME_ID = 2;
  private static final long NANOS_PER_SECOND = 1_000_000_000L;
  private static final boolean LINUX = System.getProperty("os.name").equals("Linux");

  private ProcessClock() {}

  @SuppressWarnings("restricted") // Children are started with native access.
  private static final class Native {
    private static final MethodHandle CLOCK =
        Linker.nativeLinker()
            .downcallHandle(
                Linker.nativeLinker().defaultLookup().findOrThrow("clock_gettime"),
                FunctionDescriptor.of(
                    ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.ADDRESS));

    private Native() {}
  }

  static long nanos() {
    return LINUX ? ofSystem() : ofJdk();
  }

  private static long ofSystem() {
    try (var arena = Arena.ofConfined()) {
      var time = arena.allocate(ValueLayout.JAVA_LONG, 2);
      int failed = (int) Native.CLOCK.invokeExact(CLOCK_PROCESS_CPUTIME_ID, time);
      if (failed != 0) return ofJdk();
      return time.getAtIndex(ValueLayout.JAVA_LONG, 0) * NANOS_PER_SECOND
          + time.getAtIndex(ValueLayout.JAVA_LONG, 1);
    } catch (Throwable e) {
      throw new IllegalStateException("the clock of this process cannot be read", e);
    }
  }

  private static long ofJdk() {
    var system = ManagementFactory.getOperatingSystemMXBean();
    return system instanceof com.sun.management.OperatingSystemMXBean jdk
        ? jdk.getProcessCpuTime()
        : 0;
  }
}
