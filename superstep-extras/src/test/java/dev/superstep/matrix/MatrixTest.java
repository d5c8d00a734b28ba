package dev.superstep.matrix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.superstep.checkpoint.Signal;
import dev.superstep.graph.Graph;
import dev.superstep.json.Json;
import dev.superstep.json.MalformedJson;
import dev.superstep.matrix.Matrix.Settings;
import dev.superstep.run.MatrixHook;
import dev.superstep.run.MatrixHook.Junction;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class MatrixTest {
  static final Offset<Double> TINY = within(1e-12);

  static Junction junction(String from, String... candidates) {
    return new Junction(from, from, List.of(candidates), true, 1);
  }

  static MatrixHook signals(Signal... signals) {
    var run = Matrix.of(Settings.defaults()).forRun();
    for (var signal : signals) run.onConverge("n", signal);
    return run;
  }

  static void teach(Matrix matrix, String to, double... qualities) {
    for (double quality : qualities) matrix.forRun().recordTransition("a", to, quality);
  }

  static List<String> choices(MatrixHook run, Junction junction, int times) {
    var choices = new ArrayList<String>();
    for (int i = 0; i < times; i++)
      choices.add(run.route(junction).map(List::getFirst).orElse("-"));
    return choices;
  }

  @Test
  @Tag("M1")
  void completion_is_one_minus_the_product_of_the_open_shares() {
    assertThat(signals().completion()).isZero();
    // 1 - (1 - 0.5 * 0.8) * (1 - 0.25 * 1) = 1 - 0.6 * 0.75
    var run = signals(new Signal(0.5, 0.9, 0.8), new Signal(0.25, 0, 1));
    assertThat(run.completion()).isEqualTo(0.55, TINY);
    run.onConverge("n", new Signal(1, 0, 1));
    assertThat(run.completion()).isEqualTo(1);
  }

  @Test
  @Tag("M1")
  void completion_never_falls_and_stays_within_0_and_1() {
    var random = new SplittableRandom(7);
    var run = signals();
    double before = 0;
    for (int i = 0; i < 10_000; i++) {
      run.onConverge(
          "n", new Signal(random.nextDouble(), random.nextDouble(), random.nextDouble()));
      assertThat(run.completion()).isBetween(before, 1.0);
      assertThat(run.cValue()).isBetween(0.0, 1.0);
      before = run.completion();
    }
  }

  @Test
  @Tag("M2")
  void the_c_value_is_an_exponential_mean_that_starts_at_0() {
    assertThat(signals().cValue()).isZero();
    // 0.3 * 0.8 * 0.5 = 0.12, then 0.7 * 0.12 + 0.3 * 1 * 0.9 = 0.354
    assertThat(signals(new Signal(0, 0.5, 0.8)).cValue()).isEqualTo(0.12, TINY);
    assertThat(signals(new Signal(0, 0.5, 0.8), new Signal(0, 0.1, 1)).cValue())
        .isEqualTo(0.354, TINY);
  }

  @Test
  @Tag("M3")
  void a_run_is_converged_once_it_is_nearly_complete() {
    assertThat(signals(new Signal(0.94, 0, 1)).isConverged()).isFalse();
    assertThat(signals(new Signal(0.95, 0, 1)).isConverged()).isTrue();
  }

  @Test
  @Tag("M3")
  void a_run_is_converged_once_the_last_three_of_five_bring_little() {
    var much = new Signal(0.02, 0, 1);
    var little = new Signal(0.0199, 0, 1);
    assertThat(signals(little, little, little, little).isConverged()).isFalse();
    assertThat(signals(much, much, little, little, little).isConverged()).isTrue();
    assertThat(signals(little, little, little, little, much).isConverged()).isFalse();
    assertThat(signals(much, much, much, little, much, little, little).isConverged()).isFalse();
  }

  @Test
  @Tag("M4")
  void an_edge_has_a_count_and_a_mean() {
    var matrix = Matrix.of(Settings.defaults());
    teach(matrix, "b", 0.5, 1, 0);
    // 0.5, then 0.5 + 0.5 / 2 = 0.75, then 0.75 - 0.75 / 3 = 0.5
    assertThat(matrix.edge("a", "b")).hasValue(new LearnedEdge("a", "b", 3, 0.5));
    assertThat(matrix.edge("b", "a")).isEmpty();
  }

  @Test
  @Tag("M4")
  void there_is_no_opinion_until_every_candidate_was_seen_three_times() {
    var matrix = Matrix.of(Settings.defaults());
    var junction = junction("a", "b", "c");
    teach(matrix, "b", 0.1, 0.1, 0.1);
    teach(matrix, "c", 0.9, 0.9);
    assertThat(matrix.forRun().route(junction)).isEmpty();
    teach(matrix, "c", 0.9);
    assertThat(matrix.forRun().route(junction)).hasValue(List.of("c"));
    assertThat(matrix.forRun().route(junction("a", "b", "c", "d"))).isEmpty();
    assertThat(matrix.forRun().route(junction("z", "b", "c"))).isEmpty();
  }

  @Test
  @Tag("M4")
  void equal_candidates_are_chosen_in_the_order_of_declaration() {
    var matrix = Matrix.of(Settings.defaults());
    teach(matrix, "c", 0.5, 0.5, 0.5);
    teach(matrix, "b", 0.5, 0.5, 0.5);
    assertThat(matrix.forRun().route(junction("a", "b", "c"))).hasValue(List.of("b"));
    assertThat(matrix.forRun().route(junction("a", "c", "b"))).hasValue(List.of("c"));
    var zero = Matrix.of(Settings.defaults());
    teach(zero, "b", 0, 0, 0);
    assertThat(zero.forRun().route(junction("a", "b"))).hasValue(List.of("b"));
  }

  @Test
  void a_router_that_may_end_the_run_or_that_is_not_named_is_left_alone() {
    var matrix = Matrix.of(Settings.defaults().exploring(1, 1).at("a"));
    teach(matrix, "b", 1, 1, 1);
    assertThat(matrix.forRun().route(junction("a", "b"))).hasValue(List.of("b"));
    assertThat(matrix.forRun().route(junction("a", "b", Graph.END))).isEmpty();
    assertThat(matrix.forRun().route(junction("other", "b"))).isEmpty();
  }

  @Test
  void exploration_tries_rare_targets_first_and_then_all_in_a_share_of_choices() {
    var matrix = Matrix.of(Settings.defaults().exploring(0.25, 42));
    var junction = junction("a", "b", "c", "d");
    teach(matrix, "b", 1, 1, 1);
    var before = choices(matrix.forRun(), junction, 400);
    assertThat(before).contains("-", "c", "d").doesNotContain("b");
    assertThat(before.stream().filter(c -> !c.equals("-")).count()).isBetween(60L, 140L);
    teach(matrix, "c", 0, 0, 0);
    teach(matrix, "d", 0, 0, 0);
    var after = choices(matrix.forRun(), junction, 400);
    assertThat(after).contains("b", "c", "d").doesNotContain("-");
    assertThat(after.stream().filter(c -> !c.equals("b")).count()).isBetween(30L, 110L);
  }

  @Test
  void the_same_seed_tries_the_same() {
    var junction = junction("a", "b", "c");
    var first = Matrix.of(Settings.defaults().exploring(0.5, 9));
    var second = Matrix.of(Settings.defaults().exploring(0.5, 9));
    var other = Matrix.of(Settings.defaults().exploring(0.5, 10));
    var run = first.forRun();
    var same = choices(run, junction, 50);
    assertThat(choices(second.forRun(), junction, 50)).isEqualTo(same);
    assertThat(choices(other.forRun(), junction, 50)).isNotEqualTo(same);
    // A run that goes on beside it changes nothing for the next one.
    choices(run, junction, 13);
    assertThat(choices(first.forRun(), junction, 50))
        .isEqualTo(choices(second.forRun(), junction, 50));
  }

  @Test
  void runs_share_learned_values_but_not_their_progress() {
    var matrix = Matrix.of(Settings.defaults());
    var one = matrix.forRun();
    var two = matrix.forRun();
    one.onConverge("b", new Signal(1, 0, 1));
    for (int i = 0; i < 3; i++) one.recordTransition("a", "b", 1);
    assertThat(one.isConverged()).isTrue();
    assertThat(two.isConverged()).isFalse();
    assertThat(two.completion()).isZero();
    assertThat(two.route(junction("a", "b"))).hasValue(List.of("b"));
  }

  @Test
  void many_runs_at_once_lose_no_observation() throws Exception {
    var matrix = Matrix.of(Settings.defaults().exploring(0.1, 3));
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var done = new ArrayList<Future<?>>();
      for (int run = 0; run < 32; run++) {
        done.add(
            threads.submit(() -> {
              var hook = matrix.forRun();
              for (int i = 0; i < 500; i++) {
                hook.recordTransition("a", i % 2 == 0 ? "b" : "c", 0.5);
                hook.route(junction("a", "b", "c"));
              }
            }));
      }
      for (var future : done) future.get();
    }
    assertThat(matrix.edges())
        .containsExactly(
            new LearnedEdge("a", "b", 8_000, 0.5), new LearnedEdge("a", "c", 8_000, 0.5));
  }

  @Test
  void learned_values_survive_as_json() {
    var matrix = Matrix.of(Settings.defaults());
    teach(matrix, "c", 0.1, 0.2, 0.4);
    teach(matrix, "b", 0.25);
    var json = matrix.json();
    var back = Matrix.parse(Json.parse(json.text()), Settings.defaults());
    assertThat(back.edges()).isEqualTo(matrix.edges());
    assertThat(back.json()).isEqualTo(json);
    assertThat(json.text())
        .startsWith("{\"format\":1,\"edges\":[{\"from\":\"a\",\"to\":\"b\",\"count\":1,");
    teach(back, "c", 0.3);
    assertThat(back.edge("a", "c").orElseThrow().count()).isEqualTo(4);
    assertThat(matrix.edge("a", "c").orElseThrow().count()).isEqualTo(3);
  }

  @Test
  void json_that_is_not_a_matrix_is_refused() {
    var edge = "{\"from\":\"a\",\"to\":\"b\",\"count\":1,\"quality\":0.5}";
    assertThat(parsed("{\"format\":1,\"edges\":[" + edge + "]}").edges()).hasSize(1);
    for (var bad :
        List.of(
            "[]",
            "null",
            "{\"format\":2,\"edges\":[]}",
            "{\"format\":1}",
            "{\"format\":1,\"edges\":[null]}",
            "{\"format\":1,\"edges\":[" + edge + "," + edge + "]}",
            "{\"format\":1,\"edges\":[" + edge.replace("0.5", "1.5") + "]}",
            "{\"format\":1,\"edges\":[" + edge.replace("0.5", "\"NaN\"") + "]}",
            "{\"format\":1,\"edges\":[" + edge.replace(":1", ":0") + "]}",
            "{\"format\":1,\"edges\":[" + edge.replace("\"a\"", "null") + "]}")) {
      assertThatExceptionOfType(MalformedJson.class).as(bad).isThrownBy(() -> parsed(bad));
    }
  }

  private static Matrix parsed(String json) {
    return Matrix.parse(Json.parse(json), Settings.defaults());
  }

  @Test
  void a_share_that_is_none_is_refused() {
    for (double bad : new double[] {-0.1, 1.1, Double.NaN}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> Settings.defaults().exploring(bad, 1))
          .withMessageContaining("epsilon");
    }
  }
}
