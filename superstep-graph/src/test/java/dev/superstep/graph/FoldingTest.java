package dev.superstep.graph;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static dev.superstep.graph.Runs.completed;
import static dev.superstep.graph.Runs.kept;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.node.Update;
import dev.superstep.run.Input;
import dev.superstep.state.Channel;
import dev.superstep.state.State;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// What a superstep's writes make of the values: what changes, and what does not.
@Tag("X10")
final class FoldingTest {
  private static final Channel<List<String>, String> NEWS = Channel.topic("news", String.class);
  private static final Channel<List<String>, String> SAW = Channel.append("saw", String.class);
  private static final Channel<String, String> TEXT = Channel.latest("text", String.class);
  private static final Channel<Map<String, Integer>, Map<String, Integer>> MAP =
      Channel.merge("map", Integer.class);
  private static final Channel<Set<String>, String> VOTES =
      Channel.barrier("votes", Set.of("ann", "bob"));

  /// Nodes in a row, each with what it writes, then one that notes the news.
  private static State run(Update... writes) throws InterruptedException {
    var builder = Graph.named("row").channels(NEWS, SAW, TEXT, MAP);
    var before = START;
    for (int i = 0; i < writes.length; i++) {
      var write = writes[i];
      builder.node("n" + i, (_, _) -> write).edge(before, "n" + i);
      before = "n" + i;
    }
    builder.node("note", (state, _) -> Update.of(SAW, state.get(NEWS).toString()));
    var graph = builder.edge(before, "note").edge("note", END).compile();
    return completed(graph.invoke(Input.none(), kept()));
  }

  @Test
  void an_empty_list_of_writes_does_not_preserve_an_ephemeral_value() throws Exception {
    var state = run(Update.of(NEWS, "old"), Update.all(NEWS, List.of()));
    assertThat(state.get(SAW)).containsExactly("[]");
    assertThat(run(Update.of(NEWS, "old")).get(SAW)).containsExactly("[old]");
  }

  @Test
  void an_overwrite_by_the_same_value_is_no_change_and_by_another_one_is() throws Exception {
    var same = run(Update.of(TEXT, "x"), Update.overwrite(TEXT, "x"));
    assertThat(same.version(TEXT)).isEqualTo(1);
    var other = run(Update.of(TEXT, "x"), Update.overwrite(TEXT, "y"));
    assertThat(other.get(TEXT)).isEqualTo("y");
    assertThat(other.version(TEXT)).isEqualTo(2);
  }

  @Test
  void removing_missing_entries_changes_nothing() throws Exception {
    var state =
        run(Update.of(MAP, Map.of("x", 1)), Update.remove(MAP, "y").and(Update.remove(MAP, "z")));
    assertThat(state.get(MAP)).isEqualTo(Map.of("x", 1));
    assertThat(state.version(MAP)).isEqualTo(1);
  }

  @Test
  void an_error_of_the_machine_passes_a_reducer_as_it_is() {
    var error = new InternalError("the machine is in trouble");
    var broken =
        Channel.reduce(
            "broken",
            String.class,
            "",
            (_, _) -> {
              throw error;
            });
    var graph =
        Graph.named("trouble")
            .channels(broken)
            .node("a", (_, _) -> Update.of(broken, "x").and(broken, "y"))
            .edge(START, "a")
            .edge("a", END)
            .compile();
    assertThatThrownBy(() -> graph.invoke(Input.none())).isSameAs(error);
  }

  /// A node that takes the votes and empties them at once.
  private static Graph polls(AtomicInteger runs) {
    return Graph.named("polls")
        .channels(VOTES, SAW)
        .node(
            "count",
            (_, _) -> {
              runs.incrementAndGet();
              return Update.overwrite(VOTES, Set.of()).and(SAW, "counted");
            })
        .node("after", (_, _) -> Update.of(SAW, "after"))
        .trigger("count", VOTES)
        .edge("count", "after")
        .edge("after", END)
        .compile();
  }

  @Test
  void a_token_consumed_and_cleared_in_one_superstep_stays_empty_after_a_reload() throws Exception {
    var runs = new AtomicInteger();
    var options = kept();
    var input = Input.all(VOTES, List.of("ann", "bob"));
    var end = completed(polls(runs).invoke(input, options));
    assertThat(end.get(SAW)).containsExactly("counted", "after");
    assertThat(end.version(VOTES)).isEqualTo(2);
    var loaded = polls(runs).state(options).orElseThrow();
    assertThat(loaded.state().version(VOTES)).isEqualTo(2);
    assertThat(loaded.next()).isEmpty();
    completed(polls(runs).invoke(Input.of(SAW, "more"), options));
    assertThat(runs).hasValue(1);
  }
}
