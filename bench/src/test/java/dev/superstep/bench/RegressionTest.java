package dev.superstep.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.bench.Plan.Cell;
import dev.superstep.bench.Results.Key;
import dev.superstep.bench.Results.Row;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Superstep beside the hand-written limit, measured in the same seconds on the same machine: a
/// change that makes the engine some times slower is seen here. Only ratios are looked at, and
/// their bounds leave room for machines that do other things too: what was measured stands beside.
@Tag("long")
final class RegressionTest {
  private static final Set<Contender> BOTH = EnumSet.of(Contender.LIMIT, Contender.SUPERSTEP);
  private static final Plan PLAN =
      new Plan(
          List.of(
              new Cell("W1", "loop-10000", BOTH),
              new Cell("W2", "sends-1000", BOTH),
              new Cell("W3", "memory-1000", BOTH),
              new Cell("W3", "sqlite-1000", BOTH)),
          1,
          5,
          Duration.ofSeconds(6));

  private static Results results = new Results();

  @BeforeAll
  static void measure() throws Exception {
    var options = Options.parse(List.of("--systems", "limit,superstep"));
    var sides = new ArrayList<Side>();
    for (var system : BOTH) sides.add(Side.of(system, Path.of(""), options));
    results =
        new Runner(sides, new PrintStream(OutputStream.nullOutputStream())).run(PLAN, _ -> {});
  }

  @Test
  void every_result_is_right() {
    assertThat(results.missing()).isEmpty();
    assertThat(results.rows()).isNotEmpty().allMatch(row -> row.wrong().isEmpty());
  }

  /// Measured: 3.9; up to 49 where builds beside it starve the compilers.
  @Test
  void a_sequential_superstep_costs_a_small_multiple_of_a_plain_loop() {
    assertThat(ratio("W1", "loop-10000", "us_per_step")).isLessThan(60);
  }

  /// Measured: 1.8; 7 with other builds on the same two cores.
  @Test
  void a_sent_task_costs_little_more_than_a_virtual_thread() {
    assertThat(ratio("W2", "sends-1000", "us_per_send")).isLessThan(15);
  }

  /// Measured: 29; up to 324 where builds beside it starve the compilers.
  @Test
  void a_superstep_saved_in_memory_costs_a_small_multiple_of_a_list_append() {
    assertThat(ratio("W3", "memory-1000", "us_per_step")).isLessThan(400);
  }

  /// Measured: 5.5.
  @Test
  void a_superstep_saved_in_sqlite_costs_a_few_inserts() {
    assertThat(ratio("W3", "sqlite-1000", "us_per_step")).isLessThan(17);
  }

  /// Measured: 1.13, which is the same on every machine.
  @Test
  void a_conversation_takes_hardly_more_of_the_disk_than_its_messages() {
    assertThat(ratio("W3", "sqlite-1000", "disk_bytes")).isLessThan(1.5);
  }

  /// Measured: 0.7 to 1.1, where a copy of the whole state at each superstep makes it 19.
  @Test
  void a_long_conversation_gets_no_slower() {
    for (var name : List.of("memory-1000", "sqlite-1000")) {
      assertThat(least(new Key("W3", name, "superstep", "", "growth"))).isLessThan(4);
    }
  }

  /// The ratio of the fastest repetitions, by the clock on the wall or on processors: a busy
  /// machine spoils now the one, now the other, and most repetitions.
  private static double ratio(String workload, String name, String metric) {
    return Stream.of(metric, "cpu_" + metric)
        .filter(each -> metric.startsWith("us_") || each.equals(metric))
        .map(each -> new Key(workload, name, "superstep", "", each))
        .mapToDouble(key -> least(key) / least(key.of("limit", Plan.workload(workload).against())))
        .min()
        .orElseThrow();
  }

  /// @param of without a variant for the best of them
  private static double least(Key of) {
    return results.rows().stream()
        .filter(row -> row.key().of(of.system(), of.variant()).equals(of))
        .filter(row -> row.key().system().equals(of.system()))
        .filter(row -> of.variant().isEmpty() || row.key().variant().equals(of.variant()))
        .mapToDouble(Row::least)
        .min()
        .orElseThrow();
  }
}
