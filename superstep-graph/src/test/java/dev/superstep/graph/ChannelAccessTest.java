package dev.superstep.graph;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static dev.superstep.graph.Runs.completed;
import static dev.superstep.graph.Runs.thrown;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.error.InvalidGraph;
import dev.superstep.error.InvalidUse;
import dev.superstep.error.InvalidUse.Reason;
import dev.superstep.error.NodeFailed;
import dev.superstep.node.Node;
import dev.superstep.node.NodeResult;
import dev.superstep.node.OnFailure;
import dev.superstep.node.Send;
import dev.superstep.node.Target;
import dev.superstep.node.Update;
import dev.superstep.run.Input;
import dev.superstep.run.Problem;
import dev.superstep.state.Channel;
import dev.superstep.state.State;
import dev.superstep.state.UndeclaredChannel;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("LG5.4")
class ChannelAccessTest {
  static final Channel<Long, Long> A = Channel.latest("a", Long.class);
  static final Channel<Long, Long> B = Channel.latest("b", Long.class);
  static final Channel<Long, Long> OTHER = Channel.latest("other", Long.class);
  static final Target<Long> SENT = Target.of("sent", Long.class);

  static GraphBuilder one(Node node) {
    return Graph.named("one")
        .channels(A, B)
        .node("work", node)
        .edge(START, "work")
        .edge("work", END);
  }

  static InvalidUse refused(Graph graph) {
    var failed = thrown(NodeFailed.class, () -> graph.invoke(Input.of(A, 1L)));
    assertThat(failed).hasCauseInstanceOf(InvalidUse.class);
    return (InvalidUse) failed.getCause();
  }

  @Test
  void a_node_reads_and_writes_what_it_declares() throws Exception {
    var graph =
        one((state, _) -> Update.of(B, state.get(A) + state.find(A).orElseThrow()))
            .reads("work", A)
            .writes("work", B)
            .compile();
    assertThat(completed(graph.invoke(Input.of(A, 2L))).get(B)).isEqualTo(4);
  }

  @Test
  void reading_another_channel_is_refused_whichever_way_it_is_read() {
    var ways =
        List.<Node>of(
            (state, _) -> Update.of(A, state.get(B)),
            (state, _) -> Update.of(A, state.find(B).orElse(0L)),
            (state, _) -> Update.of(A, state.version(B)));
    for (var way : ways) {
      var error = refused(one(way).reads("work", A).compile());
      assertThat(error.reason()).isEqualTo(Reason.UNDECLARED_READ);
      assertThat(error)
          .hasMessage(
              "Node `work` reads channel `b`, which it does not declare. Add it to `reads(\"work\","
                  + " ...)` of the graph.");
    }
  }

  @Test
  void writing_another_channel_is_refused_whichever_way_it_is_written() {
    var ways =
        List.<NodeResult>of(
            Update.of(B, 1L),
            Update.of(A, 1L).and(B, 2L),
            Update.all(B, List.of(1L)),
            Update.overwrite(B, 1L));
    for (var way : ways) {
      var error = refused(one((_, _) -> way).writes("work", A).compile());
      assertThat(error.reason()).isEqualTo(Reason.UNDECLARED_WRITE);
      assertThat(error.where()).isEqualTo("work");
      assertThat(error.subject()).isEqualTo("b");
      assertThat(error.code()).isEqualTo("graph.undeclared-access");
    }
  }

  @Test
  void declaring_only_reads_does_not_limit_writes_and_vice_versa() throws Exception {
    var graph = one((state, _) -> Update.of(B, state.get(A))).writes("work", B).compile();
    assertThat(completed(graph.invoke(Input.of(A, 3L))).get(B)).isEqualTo(3);
    var other = one((state, _) -> Update.of(B, state.get(A))).reads("work", A).compile();
    assertThat(completed(other.invoke(Input.of(A, 3L))).get(B)).isEqualTo(3);
  }

  @Test
  void declaring_no_channel_allows_none_and_more_calls_add() throws Exception {
    assertThat(refused(one((_, _) -> Update.of(A, 1L)).writes("work").compile()).subject())
        .isEqualTo("a");
    var graph =
        one((_, _) -> Update.of(A, 1L).and(B, 2L)).writes("work", A).writes("work", B).compile();
    assertThat(completed(graph.invoke(Input.of(A, 3L))).get(B)).isEqualTo(2);
  }

  @Test
  void routers_may_read_any_channel() throws Exception {
    var graph =
        Graph.named("routed")
            .channels(A, B)
            .node("work", (_, _) -> Update.of(A, 1L))
            .node("next", (_, _) -> Update.of(B, 5L))
            .reads("work")
            .writes("work", A)
            .edge(START, "work")
            .route("work", state -> state.get(A) == 1L ? "next" : END, "next", END)
            .edge("next", END)
            .compile();
    assertThat(completed(graph.invoke(Input.none())).get(B)).isEqualTo(5);
  }

  @Test
  void sent_nodes_and_subgraphs_are_limited_to_declared_channels_too() {
    var inner = one((state, _) -> Update.of(B, state.get(A))).compile();
    Subgraph<State> sub =
        Subgraph.of(inner, state -> Input.of(A, state.get(B)), _ -> NodeResult.nothing());
    var outer =
        Graph.named("outer")
            .channels(A, B)
            .node("sub", sub)
            .reads("sub", A)
            .edge(START, "sub")
            .edge("sub", END)
            .compile();
    assertThat(refused(outer).where()).isEqualTo("sub");
    var sent =
        Graph.named("sent")
            .channels(A, B)
            .node(SENT, (n, state, _) -> Update.of(B, n + state.get(A)))
            .writes("sent", B)
            .reads("sent", B)
            .fanOut(START, _ -> List.of(Send.to(SENT, 1L)), SENT)
            .edge("sent", END)
            .compile();
    assertThat(refused(sent).where()).isEqualTo("sent");
  }

  @Test
  void a_channel_that_the_graph_lacks_is_reported_as_unknown() {
    var graph = one((state, _) -> Update.of(B, state.get(OTHER))).reads("work", A).compile();
    var failed = thrown(NodeFailed.class, () -> graph.invoke(Input.of(A, 1L)));
    assertThat(failed).hasCauseInstanceOf(UndeclaredChannel.class);
  }

  @Test
  void a_declaration_that_fits_no_node_or_channel_does_not_compile() {
    var builder =
        one((_, _) -> NodeResult.nothing()).reads("wrk", A).reads("work", OTHER).writes("x", A);
    var problems = thrown(InvalidGraph.class, builder::compile).problems();
    assertThat(problems.stream().map(p -> p.code() + ": " + p.message()))
        .containsExactly(
            "unknown-node: there is no node `wrk`, of which is said what it reads. Did you mean"
                + " `work`?",
            "undeclared-channel: node `work` reads channel `other`, which the graph does not"
                + " declare",
            "unknown-node: there is no node `x`, of which is said what it writes");
  }

  @Test
  void a_fallback_may_write_only_the_channels_of_its_node() {
    var policy = NodePolicy.defaults().onFailure(OnFailure.fallback(Update.of(B, 1L)));
    var builder =
        Graph.named("fallback")
            .channels(A, B)
            .node("work", (_, _) -> NodeResult.nothing(), policy)
            .writes("work", A)
            .edge(START, "work")
            .edge("work", END);
    var problems = thrown(InvalidGraph.class, builder::compile).problems();
    assertThat(problems.stream().map(Problem::code)).containsExactly("undeclared-write");
  }
}
