package dev.superstep.graph;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static dev.superstep.graph.Runs.completed;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.node.Update;
import dev.superstep.run.Input;
import dev.superstep.state.Channel;
import dev.superstep.store.InMemoryStore;
import dev.superstep.store.Namespace;
import org.junit.jupiter.api.Test;

/// What nodes remember beyond their run.
class StoreInRunTest {
  private static final Channel<String, String> SAID = Channel.latest("said", String.class);
  private static final Namespace VISITS = Namespace.of("visits");

  private static Graph visits() {
    return Graph.named("visits")
        .channels(SAID)
        .node(
            "greet",
            (_, context) -> {
              int before = context.store().get(VISITS, "ann", Integer.class).orElse(0);
              context.store().put(VISITS, "ann", before + 1);
              return Update.of(SAID, "visit " + (before + 1));
            })
        .edge(START, "greet")
        .edge("greet", END)
        .compile();
  }

  @Test
  void an_item_stored_by_one_run_is_visible_in_another_thread() throws Exception {
    var store = InMemoryStore.open();
    var ann = RunOptions.thread("t1").store(store);
    assertThat(completed(visits().invoke(Input.none(), ann)).get(SAID)).isEqualTo("visit 1");
    var later = RunOptions.thread("t2").store(store);
    assertThat(completed(visits().invoke(Input.none(), later)).get(SAID)).isEqualTo("visit 2");
  }

  @Test
  void a_graph_inside_has_the_same_store() throws Exception {
    var outer =
        Graph.named("outer")
            .channels(SAID)
            .node(
                "in",
                Subgraph.of(visits(), _ -> Input.none(), end -> Update.of(SAID, end.get(SAID))))
            .edge(START, "in")
            .edge("in", END)
            .compile();
    var store = InMemoryStore.open();
    outer.invoke(Input.none(), RunOptions.defaults().store(store));
    assertThat(store.get(VISITS, "ann", Integer.class)).contains(1);
  }
}
