package dev.superstep.graph;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.superstep.json.Json;
import dev.superstep.json.MalformedJson;
import dev.superstep.node.Command;
import dev.superstep.node.Node;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Target;
import dev.superstep.state.Channel;
import dev.superstep.topology.Topology;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("A1")
class TopologyTest {
  static final Target<String> PART = Target.of("read part", String.class);
  static final Node NOTHING = (_, _) -> NodeResult.nothing();

  /// One of each kind of edge.
  static GraphBuilder all() {
    return Graph.named("all edges")
        .channels(Channel.append("notes", String.class), Channel.sum("score"))
        .node("split", NOTHING)
        .node(PART, (_, _, _) -> NodeResult.nothing())
        .node("check-1", NOTHING)
        .node("check-2", NOTHING)
        .node("merge", NOTHING)
        .node("decide", (_, _) -> Command.to(END))
        .edge(START, "split")
        .fanOut("split", _ -> List.of(), PART)
        .edge("read part", "check-1")
        .edge("read part", "check-2")
        .join(List.of("check-1", "check-2"), "merge")
        .route("merge", _ -> "split", "split", "decide")
        .destinations("decide", "split", END);
  }

  @Test
  void a_topology_comes_back_from_json_equal_and_with_the_same_hash() {
    var topology = all().compile().topology();
    var back = Topology.parse(topology.json());
    assertThat(back).isEqualTo(topology);
    assertThat(back.hash()).isEqualTo(topology.hash());
    assertThat(topology.hash()).hasSize(32).isEqualTo(all().compile().topology().hash());
    assertThatExceptionOfType(MalformedJson.class)
        .isThrownBy(() -> Topology.parse(Json.parse("{\"graph\":\"x\"}")));
  }

  @Test
  @Tag("A17")
  void any_change_of_shape_changes_the_hash() {
    var hashes =
        List.of(
            all().compile().topology().hash(),
            all().channels(Channel.sum("more")).compile().topology().hash(),
            all().edge("merge", END).compile().topology().hash(),
            all()
                .node("more", NOTHING)
                .edge(START, "more")
                .edge("more", END)
                .compile()
                .topology()
                .hash());
    assertThat(hashes).doesNotHaveDuplicates();
  }

  @Test
  void the_json_of_a_topology() throws Exception {
    GoldenText.check("topology.json", all().compile().topology().json().text() + "\n");
  }

  @Test
  void the_mermaid_chart_of_a_topology() throws Exception {
    GoldenText.check("topology.mmd", all().compile().topology().mermaid());
  }
}
