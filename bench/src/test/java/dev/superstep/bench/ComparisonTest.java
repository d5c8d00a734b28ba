package dev.superstep.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ComparisonTest {
  private final Results results = new Results();

  @Test
  void a_peer_with_the_better_figure_is_listed_with_the_ratio(@TempDir Path folder)
      throws Exception {
    add("superstep", "vthread", 6);
    add("superstep", "platform", 4);
    add("langgraph4j", "invoke", 2);
    add("langgraph", "invoke", 5);
    assertThat(report(folder))
        .contains(
            "| W3 | memory-1000 | wall_ms | 4.00 (platform) | langgraph4j 2.00 (invoke) |"
                + " 2.00 |")
        .doesNotContain("langgraph 5.00 (invoke) |");
  }

  @Test
  void a_peer_whose_result_was_wrong_wins_nowhere(@TempDir Path folder) throws Exception {
    add("superstep", "vthread", 6);
    results.add(List.of(sample("langgraph", "invoke", "found 1", 2)), 0);
    assertThat(report(folder)).contains("## Where a peer wins\n\nNowhere.\n");
  }

  @Test
  void superstep_stands_beside_both_limits_and_the_nearest_peer(@TempDir Path folder)
      throws Exception {
    add("limit", "delta", 1);
    add("limit-guarded", "delta", 3);
    add("superstep", "vthread", 6);
    add("langgraph", "invoke", 9);
    add("langgraph4j", "invoke", 12);
    assertThat(report(folder))
        .contains(
            "| memory-1000 | wall_ms | 1.00 (delta) | 3.00 (delta) |"
                + " 6.00 (vthread, 6.00×, 2.00× guarded) |")
        .contains("| W3 | memory-1000 | wall_ms | 6.00 (vthread) | 6.00 | 2.00 | 1.50 langgraph |");
    assertThat(folder.resolve("results.jsonl"))
        .content()
        .contains("\"ratio_to_limit\":6.0,\"ratio_to_guarded_limit\":2.0");
  }

  @Test
  void the_first_round_stands_beside_the_warm_one(@TempDir Path folder) throws Exception {
    warmedUp("superstep", 900, 8, 1);
    warmedUp("limit", 90, 2, 0);
    assertThat(report(folder))
        .contains("| W3 | memory-1000 | superstep | vthread | 900 | 8.00 | after 3.00 s |")
        .contains("| W3 | memory-1000 | limit | vthread | 90.0 | 2.00 | **not** within 3.00 s |");
  }

  private void warmedUp(String system, double first, double warm, double still) {
    var figures = Map.of("first_us", first, "warm_us", warm, "warm_up_s", 3.0);
    figures.forEach((metric, value) -> add(system, "vthread", metric, value));
    add(system, "vthread", "warm_up_still", still);
  }

  private void add(String system, String variant, double value) {
    add(system, variant, "wall_ms", value);
  }

  private void add(String system, String variant, String metric, double value) {
    results.add(
        List.of(new Sample("W3", "memory-1000", system, variant, metric, "", List.of(value))), 0);
  }

  private static Sample sample(String system, String variant, String wrong, double value) {
    return new Sample("W3", "memory-1000", system, variant, "wall_ms", wrong, List.of(value));
  }

  private String report(Path folder) throws Exception {
    new Report(new Machine(Map.of("processors", "2")), results).write(folder);
    return Files.readString(folder.resolve("results.md"));
  }
}
