package dev.superstep.graph;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static dev.superstep.graph.Runs.completed;
import static dev.superstep.graph.Runs.thrown;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.error.NodeFailed;
import dev.superstep.json.InvalidName;
import dev.superstep.node.NodeResult;
import dev.superstep.run.Input;
import dev.superstep.store.InvalidItem;
import dev.superstep.store.Namespace;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Names that a store could take for each other are refused.
final class NamesInStoresTest {
  private static final String PAIR = "\uD83D\uDE00";

  @ParameterizedTest
  @ValueSource(strings = {"a\uD800", "\uD800b", "\uDC00a", "\uDC00\uD800", "a\u0000b"})
  void a_name_with_half_of_a_character_or_null_reaches_no_store(String name) {
    var store = new InMemoryCheckpointer();
    assertThatThrownBy(() -> RunOptions.thread(name)).isInstanceOf(InvalidName.class);
    assertThatThrownBy(() -> new Lineage("t", name)).isInstanceOf(InvalidName.class);
    assertThatThrownBy(() -> store.acquire("t", name, Duration.ofSeconds(1)))
        .isInstanceOf(InvalidName.class);
    assertThatThrownBy(() -> RunOptions.thread("t").metadata(name, "x"))
        .isInstanceOf(InvalidName.class);
    assertThatThrownBy(() -> RunOptions.thread("t").label(name, "x"))
        .isInstanceOf(InvalidName.class);
    assertThatThrownBy(() -> Namespace.of(name)).isInstanceOf(InvalidItem.class);
    var runs = RunOptions.thread("t").checkpoints(store).ids(() -> name);
    assertThatThrownBy(() -> graph("k").invoke(Input.none(), runs)).isInstanceOf(InvalidName.class);
    var steps = RunOptions.thread("u").checkpoints(store);
    assertThat(thrown(NodeFailed.class, () -> graph(name).invoke(Input.none(), steps)))
        .hasCauseInstanceOf(InvalidName.class);
  }

  @Test
  void a_name_with_complete_characters_is_accepted() throws Exception {
    var store = new InMemoryCheckpointer();
    completed(graph(PAIR).invoke(Input.none(), RunOptions.thread(PAIR).checkpoints(store)));
    assertThat(store.find(PAIR)).isPresent();
  }

  private static Graph graph(String key) {
    return Graph.named("g")
        .node(
            "a",
            (_, context) -> {
              context.step(key, String.class, () -> "x");
              return NodeResult.nothing();
            })
        .edge(START, "a")
        .edge("a", END)
        .compile();
  }
}
