package dev.superstep.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.bench.Plan.Cell;
import dev.superstep.bench.Results.Row;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// Superstep beside the hand-written limit, measured in the same seconds on the same machine: a
/// change that makes the engine some times slower is seen here. Only ratios are looked at, and their
/// bounds are about three times what was measured, since machines that run tests are busy.
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
          Duration.ofMillis(1_200));

  private static Results results;

  @BeforeAll
  static void measure() throws IOException, InterruptedException {
    var options = Options.parse(List.of("--systems", "limit,superstep"));
    var sides = BOTH.stream().map(system -> Side.of(system, Path.of(""), options)).toList();
    results = new Runner(sides, new PrintStream(PrintStream.nullOutputStream())).run(PLAN);
  }

  @Test
  void every_result_is_right() {
    assertThat(results.missing()).isEmpty();
    assertThat(results.rows()).isNotEmpty().allMatch(row -> row.wrong().isEmpty());
  }

  /// Measured: 3.9.
  @Test
  void a_sequential_superstep_costs_some_times_a_plain_loop() {
    assertThat(least("W1", "loop-10000", "us_per_step")).isLessThan(12);
  }

  /// Measured: 1.8.
  @Test
  void a_sent_task_costs_little_more_than_a_virtual_thread() {
    assertThat(least("W2", "sends-1000", "us_per_send")).isLessThan(6);
  }

  /// Measured: 29.
  @Test
  void a_superstep_kept_in_memory_costs_some_times_a_row_in_a_list() {
    assertThat(least("W3", "memory-1000", "us_per_step")).isLessThan(90);
  }

  /// Measured: 5.5.
  @Test
  void a_superstep_kept_in_sqlite_costs_some_inserts() {
    assertThat(least("W3", "sqlite-1000", "us_per_step")).isLessThan(17);
  }

  /// Measured: 1.13; the same on every machine.
  @Test
  void a_conversation_takes_hardly_more_of_the_disk_than_its_messages() {
    assertThat(least("W3", "sqlite-1000", "disk_bytes")).isLessThan(1.5);
  }

  /// Measured: 0.7 to 1.1, where a copy of the whole state at each superstep makes it 19.
  @Test
  void a_long_conversation_gets_no_slower() {
    for (var name : List.of("memory-1000", "sqlite-1000")) {
      double least =
          results.rows().stream()
              .filter(row -> row.key().system().equals("superstep"))
              .filter(row -> row.key().name().equals(name))
              .filter(row -> row.key().metric().equals("growth"))
              .mapToDouble(Row::median)
              .min()
              .orElseThrow();
      assertThat(least).isLessThan(4);
    }
  }

  /// The ratio to the limit of the best variant, by the clock on the wall or on processors: a busy
  /// machine spoils now the one, now the other.
  private static double least(String workload, String name, String metric) {
    return results.rows().stream()
        .filter(row -> row.key().system().equals("superstep"))
        .filter(row -> row.key().workload().equals(workload) && row.key().name().equals(name))
        .filter(row -> row.key().metric().endsWith(metric))
        .mapToDouble(row -> row.ratio().orElseThrow())
        .min()
        .orElseThrow();
  }
}
