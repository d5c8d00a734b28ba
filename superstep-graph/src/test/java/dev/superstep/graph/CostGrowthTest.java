package dev.superstep.graph;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static dev.superstep.graph.Runs.completed;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.node.Rate;
import dev.superstep.node.Update;
import dev.superstep.run.Input;
import dev.superstep.state.Channel;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// How what a run costs grows, from 10 to 100,000. Counts characters, bytes and looks; the times
/// that it prints beside are for people.
@Tag("long")
final class CostGrowthTest {
  private static final List<Integer> SIZES = List.of(10, 100, 1_000, 10_000, 100_000);

  @FunctionalInterface
  private interface Cost {
    long of(int size) throws Exception;
  }

  /// Measures each size and prints the slope: 1 is in proportion, 0 is constant.
  ///
  /// @param most what the slope between the two largest may be
  private static void curve(String what, int largest, double most, Cost cost) throws Exception {
    double slope = 0;
    long before = 0;
    var text = new StringBuilder();
    for (int size : SIZES) {
      if (size > largest) break;
      long begin = System.nanoTime();
      long now = cost.of(size);
      long millis = Duration.ofNanos(System.nanoTime() - begin).toMillis();
      text.append(" %,d: %,d (%,d ms);".formatted(size, now, millis));
      if (before > 0) slope = Math.log10((double) now / before);
      before = now;
    }
    System.out.printf(Locale.ROOT, "long: %s:%s slope %.2f%n", what, text, slope);
    assertThat(slope).as(what).isLessThan(most);
  }

  private static long written(Graph graph) throws Exception {
    var store = new PendingLogCostTest.Counted(new InMemoryCheckpointer());
    var options = RunOptions.thread("t").checkpoints(store).stepLimit(200_000);
    completed(graph.invoke(Input.none(), options));
    return store.sizes.stream().mapToLong(size -> size).sum();
  }

  @Test
  void writes_for_waiting_tasks_grow_linearly() throws Exception {
    curve("characters, n held sends", 10_000, 1.2, n -> written(PendingLogCostTest.mail(n, 20)));
    curve("characters, n rounds", 10_000, 1.2, n -> written(PendingLogCostTest.mail(20, n)));
    curve(
        "characters, a join of n in a row", 10_000, 1.2, n -> written(PendingLogCostTest.chain(n)));
    curve("characters, n gates in a row", 1_000, 1.4, n -> written(PendingLogCostTest.ring(n)));
  }

  @Test
  void a_superstep_in_a_large_graph_costs_nearly_the_same() throws Exception {
    curve("bytes beside n channels", 100_000, 0.9, n -> step(LargeGraphCostTest.channels(n)));
    curve("bytes beside n triggers", 100_000, 0.9, n -> step(LargeGraphCostTest.triggers(n)));
    curve("bytes beside n nodes", 100_000, 0.9, n -> step(LargeGraphCostTest.nodes(n)));
  }

  private static long step(GraphBuilder builder) throws Exception {
    return LargeGraphCostTest.perStep(builder);
  }

  @Test
  void costs_of_answers_joins_and_rates_grow_linearly() throws Exception {
    curve(
        "bytes, n answers",
        100_000,
        1.2,
        n -> LargeGraphCostTest.allocated(() -> LargeGraphCostTest.answer(n)));
    curve(
        "bytes, compiling a join of n",
        100_000,
        1.2,
        n -> LargeGraphCostTest.allocated(LargeGraphCostTest.joined(n)::compile));
    var none = RunOptions.defaults();
    var rate = Rate.of(1, Duration.ofSeconds(1));
    curve(
        "looks, a rate over n nodes",
        10_000,
        1.2,
        n -> LargeGraphCostTest.looks(n, none.rate(rate), UnaryOperator.identity()));
    curve(
        "looks, n nodes with rates",
        10_000,
        1.2,
        n -> LargeGraphCostTest.looks(n, none, policy -> policy.rate(rate)));
  }

  @Test
  void the_cost_of_a_replay_grows_linearly() throws Exception {
    var lines = Channel.append("lines", String.class);
    curve(
        "bytes, a replay of n supersteps",
        10_000,
        1.2,
        n -> {
          var graph =
              Graph.named("talk")
                  .channels(lines)
                  .node("say", (s, _) -> Update.of(lines, "line " + s.get(lines).size()))
                  .edge(START, "say")
                  .route("say", s -> s.get(lines).size() < n ? "say" : END, "say", END)
                  .compile();
          var store = new InMemoryCheckpointer();
          var options = RunOptions.thread("t").checkpoints(store).stepLimit(n + 1);
          completed(graph.invoke(Input.none(), options));
          return LargeGraphCostTest.allocated(() -> {
            var replay = Replay.of(graph, store).thread("t").stepLimit(n + 1);
            assertThat(replay.run().supersteps()).isEqualTo(n);
          });
        });
  }
}
