package dev.superstep.bench.workload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.bench.measure.Case;
import dev.superstep.bench.measure.Recorder;
import dev.superstep.bench.measure.Starts;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Each workload of the bench in a small form, and what it allocates or how many classes it loads,
/// which depends on nothing else that the machine does. The bounds are about twice what was
/// measured in a process that had hardly been compiled; a compiled one allocates less. Assertions
/// are enabled here, so that a store in memory also encodes each value and compares.
final class CountsTest {
  private static final Duration WARM_UP = Duration.ofMillis(300);
  private static final int REPETITIONS = 3;

  @ParameterizedTest
  @CsvSource({
    "W1, loop-1000, vthread, alloc_bytes_per_step, 4000",
    "W1, chain-10-50, vthread, alloc_bytes_per_step, 4500",
    "W2, sends-1000, vthread, alloc_bytes_per_send, 2000",
    "W3, none-300, vthread, alloc_bytes_per_step, 6500",
    "W3, memory-300, vthread, alloc_bytes_per_step, 13000",
    "W3, sqlite-100, vthread, alloc_bytes_per_step, 56000",
    "W3, sqlite-100, vthread, disk_bytes, 1500000",
    "W4, runs-100-5-1, vthread, alloc_bytes_per_run, 43000",
    "W5, memory-200, platform, alloc_bytes_per_park, 35000",
    "W5, memory-200, platform, alloc_bytes_per_resume, 27000",
    "W5, sqlite-50, platform, alloc_bytes_per_park, 130000",
    "W5, sqlite-50, platform, alloc_bytes_per_resume, 145000",
    "W7, idle-500, hub-1, alloc_bytes_per_step, 11000",
    "W8, none-20, run, alloc_bytes_per_call, 50000",
    "W9, memory-100, one, alloc_bytes_per_step, 110000",
    "W9, memory-100, count, alloc_bytes_per_step, 28000",
    "W10, memory-300, platform, alloc_bytes_per_build, 8000",
    "W11, none-50, flow, alloc_bytes_per_step, 7000",
    "W12, agents-20-5, run, alloc_bytes_per_caller, 430000",
    "W13, memory-100-8, sync, alloc_bytes_per_step, 61000",
    "W13, memory-100-8, async, alloc_bytes_per_step, 65000",
    "W13, memory-100-8, exit, alloc_bytes_per_step, 63000",
    "W14, memory-2, run, alloc_bytes_per_run, 93000",
    "W15, one, plain, classes, 2000",
    "W15, agent, plain, classes, 4600",
  })
  void a_workload_stays_within_its_count(
      String workload, String name, String variant, String metric, double most) throws Exception {
    var what = new Case(workload, name, REPETITIONS, WARM_UP);
    var out = new Recorder("superstep", what);
    Objects.requireNonNull(SuperstepChild.WORKLOADS.get(workload + " " + what.kind()))
        .measure(what, out);
    assertThat(out.wrong()).isEmpty();
    assertThat(out.least(variant, metric)).isPositive().isLessThan(most);
  }

  /// W6: 1,540 measured, of which a JVM that prints a line loads 450.
  @Test
  void the_smallest_program_loads_few_classes() throws Exception {
    var process =
        new ProcessBuilder(
                Starts.java(),
                "-Xlog:class+load",
                "-cp",
                System.getProperty("java.class.path"),
                Smallest.class.getName())
            .start();
    try (var out = process.inputReader()) {
      var lines = out.lines().toList();
      assertThat(lines).contains("result 2");
      assertThat(lines.stream().filter(line -> line.contains(" source: ")).count())
          .isBetween(400L, 2_000L);
    }
  }
}
