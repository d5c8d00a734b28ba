package dev.superstep.shape;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.graph.Graph;
import dev.superstep.graph.GraphBuilder;
import dev.superstep.node.Update;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome;
import dev.superstep.state.Channel;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("T105")
class SingleShotTest {
  static final Channel<String, String> TEXT = Channel.latest("text", String.class);
  static final Channel<List<String>, String> LOG = Channel.append("log", String.class);

  static SingleShot shot() {
    return SingleShot.named("title", (state, _) -> Update.of(LOG, "ask " + state.get(TEXT)));
  }

  static GraphBuilder around(SingleShot shot) {
    return shot.addTo(Graph.named("g").channels(TEXT, LOG)).edge(START, shot.entry());
  }

  static List<String> log(Graph graph) throws InterruptedException {
    var outcome = graph.invoke(Input.of(TEXT, "x"));
    assertThat(outcome).isInstanceOf(Outcome.Completed.class);
    return ((Outcome.Completed) outcome).state().get(LOG);
  }

  @Test
  void one_node_is_enough() throws Exception {
    assertThat(log(around(shot()).compile())).containsExactly("ask x");
  }

  @Test
  void the_answer_is_parsed_and_the_users_next_node_follows() throws Exception {
    var shot =
        shot()
            .parse((_, _) -> Update.of(LOG, "parse"))
            .finish((_, _) -> Update.of(LOG, "finalize"))
            .then("publish");
    var graph =
        around(shot)
            .node("publish", (_, _) -> Update.of(LOG, "publish"))
            .edge("publish", END)
            .compile();
    assertThat(log(graph)).containsExactly("ask x", "parse", "finalize", "publish");
    Golden.check("shape-single-shot.mmd", graph.topology().mermaid());
  }
}
