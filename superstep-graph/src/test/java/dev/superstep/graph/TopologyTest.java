package dev.superstep.graph;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.superstep.json.Codec;
import dev.superstep.json.Json;
import dev.superstep.json.MalformedJson;
import dev.superstep.node.Command;
import dev.superstep.node.Node;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Target;
import dev.superstep.state.Channel;
import dev.superstep.topology.Topology;
import dev.superstep.topology.Topology.ChannelShape;
import dev.superstep.topology.Topology.EdgeKind;
import dev.superstep.topology.Topology.EdgeShape;
import dev.superstep.topology.Topology.NodeShape;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
  void the_json_and_the_hash_of_a_topology_are_those_of_the_codec_of_its_record() {
    var inside =
        new Topology(
            "inside \"quoted\" \\ ü 😀\u0001",
            List.of(new ChannelShape("a", "latest", "string"), new ChannelShape("b", "sum", "int")),
            List.of(new NodeShape("n", "", Optional.empty(), true, List.of("a", "b"))),
            List.of(
                EdgeShape.of(EdgeKind.DIRECT, START, "n"),
                new EdgeShape(EdgeKind.JOINED, List.of("n", "m"), END, "both", 2)),
            Optional.of(Map.of("n", "{a: \"x\"}", "m", "[int]")));
    var around =
        new Topology(
            "around",
            List.of(),
            List.of(
                new NodeShape("sub", "in", Optional.of(inside), false, List.of()),
                new NodeShape("", "", Optional.empty(), false, List.of())),
            List.of());
    for (var each : List.of(inside, around, all().compile().topology())) {
      assertThat(each.json()).isEqualTo(Codec.of(Topology.class).encode(each));
      assertThat(Topology.parse(each.json())).isEqualTo(each);
    }
    assertThat(inside.hash()).isEqualTo("b1ec336134da101bdfab628ed2f571a7-68609ac9");
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
