package dev.superstep.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.bench.Plan.Cell;
import dev.superstep.bench.Results.Row;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ResultsTest {
  private final Results results = new Results();

  @Test
  void a_quantile_is_a_value_that_was_measured() {
    var values = List.of(5.0, 1.0, 4.0, 2.0, 3.0);
    assertThat(Results.quantile(values, 0.5)).isEqualTo(3);
    assertThat(Results.quantile(values, 0.99)).isEqualTo(5);
    assertThat(Results.quantile(List.of(7.0), 0.5)).isEqualTo(7);
  }

  @Test
  void values_of_all_rounds_are_put_together_and_compared_with_the_limit_as_the_plan_says() {
    results.add(
        List.of(sample("limit", "inline", "", 2.0), sample("limit", "vthread", "", 9.0)), 1);
    results.add(List.of(sample("superstep", "vthread", "", 5.0)), 1);
    results.add(List.of(sample("superstep", "vthread", "", 6.0, 7.0)), 3);
    var row = row("superstep");
    assertThat(row.median()).isEqualTo(6);
    assertThat(row.p99()).isEqualTo(7);
    assertThat(row.ratio()).hasValue(3.0);
    assertThat(row.load()).isEqualTo(1);
    assertThat(results.isAllRight()).isTrue();
  }

  @Test
  void a_wrong_result_of_any_round_stays_wrong() {
    results.add(List.of(sample("adk", "x", "expected 3, found 2", 5.0)), 1);
    results.add(List.of(sample("adk", "x", "", 5.0)), 1);
    assertThat(row("adk").wrong()).isEqualTo("expected 3, found 2");
    assertThat(results.isAllRight()).isFalse();
  }

  @Test
  void workloads_that_are_skipped_are_listed_with_the_reason(@TempDir Path folder)
      throws Exception {
    var cell = new Cell("W1", "loop-10000", EnumSet.of(Contender.ADK));
    results.notRun(cell, Contender.ADK, "no such package");
    assertThat(results.isAllRight()).as("a peer that cannot be had").isTrue();
    new Report(new Machine(Map.of("processors", "2")), results).write(folder);
    assertThat(folder.resolve("results.jsonl"))
        .content()
        .contains("\"not_run\":\"no such package\"");
    assertThat(Files.readString(folder.resolve("results.md")))
        .contains("- adk W1 loop-10000: no such package");
    results.notRun(cell, Contender.SUPERSTEP, "exit code 1");
    assertThat(results.isAllRight()).as("Superstep that does not run").isFalse();
  }

  @Test
  void a_line_of_the_results_has_what_programs_look_for(@TempDir Path folder) throws Exception {
    results.add(
        List.of(sample("limit", "inline", "", 2.0), sample("superstep", "x", "", 3.0)), 0.5);
    new Report(new Machine(Map.of("processors", "2")), results).write(folder);
    assertThat(folder.resolve("results.jsonl"))
        .content()
        .startsWith("{\"header\":{\"processors\":\"2\"}}\n")
        .contains(
            "{\"workload\":\"W1\",\"case\":\"loop-10000\",\"system\":\"superstep\","
                + "\"variant\":\"x\",\"metric\":\"us_per_step\",\"median\":3.0,\"p99\":3.0,"
                + "\"samples\":1,\"ratio_to_limit\":1.5,\"ok\":true,\"load\":0.5}");
    assertThat(folder.resolve("results.md"))
        .content()
        .contains("| loop-10000 | us_per_step | 2.00 (inline) | 3.00 (x, 1.50×) |");
  }

  private Row row(String system) {
    return results.rows().stream()
        .filter(row -> row.key().system().equals(system))
        .findFirst()
        .orElseThrow();
  }

  private static Sample sample(String system, String variant, String wrong, Double... values) {
    return new Sample("W1", "loop-10000", system, variant, "us_per_step", wrong, List.of(values));
  }
}
