package dev.superstep.graph;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static dev.superstep.graph.Runs.completed;
import static dev.superstep.graph.Runs.thrown;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.error.NodeFailed;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Input;
import dev.superstep.state.Channel;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/// A write after an overwrite is not lost.
final class OverwriteThenWriteTest {
  private static final Channel<String, String> LATEST = Channel.latest("latest", String.class);
  private static final Channel<Long, Long> SUM = Channel.sum("sum");
  private static final Channel<List<String>, String> LIST = Channel.append("list", String.class);
  private static final Channel<Set<String>, String> UNION = Channel.union("union", String.class);
  private static final Channel<Map<String, String>, Map<String, String>> MERGE =
      Channel.merge("merge", String.class);

  private static final Update BOTH =
      Update.overwrite(LATEST, "x")
          .and(LATEST, "y")
          .and(Update.overwrite(SUM, 10L))
          .and(SUM, 1L)
          .and(SUM, 2L)
          .and(LIST, "before")
          .and(Update.overwrite(LIST, List.of("x")))
          .and(LIST, "y")
          .and(Update.overwrite(UNION, Set.of("x")))
          .and(UNION, "y")
          .and(Update.overwrite(MERGE, Map.of("x", "1", "z", "2")))
          .and(MERGE, Map.of("y", "3"))
          .and(Update.remove(MERGE, "z"));

  private static void check(dev.superstep.state.State end) {
    assertThat(end.get(LATEST)).isEqualTo("y");
    assertThat(end.get(SUM)).isEqualTo(13L);
    assertThat(end.get(LIST)).containsExactly("x", "y");
    assertThat(end.get(UNION)).containsExactlyInAnyOrder("x", "y");
    assertThat(end.get(MERGE)).isEqualTo(Map.of("x", "1", "y", "3"));
  }

  @Test
  void writes_after_an_overwrite_in_one_update_are_folded_into_its_value() throws Exception {
    var graph =
        Graph.named("g")
            .channels(LATEST, SUM, LIST, UNION, MERGE)
            .node("a", (_, _) -> BOTH)
            .edge(START, "a")
            .edge("a", END)
            .compile();
    var store = new InMemoryCheckpointer();
    var options = RunOptions.thread("t").checkpoints(store);
    check(completed(graph.invoke(Input.of(LIST, "old"), options)));
    check(graph.state(options).orElseThrow().state());
  }

  @Test
  void restored_overwrites_discard_plain_writes_of_siblings_too() throws Exception {
    var fails = new AtomicBoolean(true);
    var graph =
        Graph.named("g")
            .channels(LATEST, SUM, LIST, UNION, MERGE)
            .node("a", (_, _) -> BOTH)
            .node("b", (_, _) -> Update.of(SUM, 100L).and(LIST, "sibling"))
            .node(
                "c",
                (_, _) -> {
                  if (fails.get()) throw new IllegalStateException("not yet");
                  return NodeResult.nothing();
                })
            .edge(START, "a")
            .edge(START, "b")
            .edge(START, "c")
            .edge("a", END)
            .edge("b", END)
            .edge("c", END)
            .compile();
    var options = RunOptions.thread("t").checkpoints(new InMemoryCheckpointer());
    thrown(NodeFailed.class, () -> graph.invoke(Input.of(LIST, "old"), options));
    fails.set(false);
    check(completed(graph.resume(Answers.none(), options)));
  }
}
