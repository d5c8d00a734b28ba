package dev.superstep.graph;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static dev.superstep.graph.Runs.thrown;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.error.InvalidGraph;
import dev.superstep.node.Node;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Question;
import dev.superstep.node.Target;
import dev.superstep.run.Input;
import dev.superstep.run.Problem;
import dev.superstep.state.Channel;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("T70")
@Tag("W21")
class ValidationTest {
  static final Node NOTHING = (_, _) -> NodeResult.nothing();
  static final Target<String> ITEM = Target.of("item", String.class);
  static final Question<String, String> ASK = Question.of("ask", String.class, String.class);

  /// A graph with nodes a, b and c, and what is wrong with it.
  static List<Problem> problems(UnaryOperator<GraphBuilder> wrong) {
    var builder = Graph.named("g").node("a", NOTHING).node("b", NOTHING).node("c", NOTHING);
    return thrown(InvalidGraph.class, () -> wrong.apply(builder).compile()).problems();
  }

  /// The same with a path through a, b and c.
  static List<Problem> around(UnaryOperator<GraphBuilder> wrong) {
    return problems(
        g -> wrong.apply(g.edge(START, "a").edge("a", "b").edge("b", "c").edge("c", END)));
  }

  static void check(List<Problem> problems, String... codes) {
    assertThat(problems).extracting(Problem::code).containsExactly(codes);
    for (var problem : problems) assertThat(problem.message()).doesNotContain("__");
  }

  @Test
  void a_graph_without_nodes() {
    var error = thrown(InvalidGraph.class, () -> Graph.named("g").compile());
    assertThat(error.problems()).extracting(Problem::code).contains("no-nodes");
  }

  @Test
  void names_used_twice() {
    check(around(g -> g.node("a", NOTHING).node("a", NOTHING)), "duplicate-node");
    check(
        around(g -> g.channels(Channel.sum("x"), Channel.latest("x", String.class))),
        "duplicate-channel");
    check(around(g -> g.questions(ASK, ASK)), "duplicate-question");
  }

  @Test
  void a_node_whose_name_is_reserved_or_odd() {
    check(around(g -> g.node("1st", NOTHING).edge("a", "1st").edge("1st", END)), "bad-name");
    assertThat(around(g -> g.node(END, NOTHING))).extracting(Problem::code).contains("bad-name");
    assertThat(around(g -> g.node("__input__", NOTHING)))
        .extracting(Problem::code)
        .contains("bad-name");
    var graph = Graph.named("g").node("_a", NOTHING).edge(START, "_a").edge("_a", END).compile();
    assertThat(graph.topology().nodes()).extracting("name").containsExactly("_a");
  }

  @Test
  void an_unknown_node_with_a_suggestion() {
    var problems = around(g -> g.edge("a", "bb"));
    check(problems, "unknown-node");
    assertThat(problems.getFirst().message())
        .contains("`bb`")
        .contains("a -> bb")
        .containsPattern("Did you mean `[ab]`\\?");
    check(around(g -> g.route("zebra", _ -> "a", "a")), "unknown-node");
    check(around(g -> g.join(List.of("a", "zebra"), "c")), "unknown-node");
    check(around(g -> g.join(List.of("a", "b"), "zebra")), "unknown-node");
    assertThat(around(g -> g.edge("a", "zebra")).getFirst().message())
        .doesNotContain("Did you mean");
  }

  @Test
  void edges_out_of_end_and_into_start() {
    check(around(g -> g.edge(END, "a")), "edge-from-end");
    check(around(g -> g.edge("a", START)), "edge-to-start");
  }

  @Test
  void an_edge_there_twice() {
    check(around(g -> g.edge("a", "b")), "duplicate-edge");
    check(around(g -> g.route("a", _ -> "c", "c", "c")), "duplicate-edge");
  }

  @Test
  void joins_that_cannot_wait() {
    check(around(g -> g.join(List.of("a"), "c")), "small-join");
    check(around(g -> g.join(List.of("a", "a"), "c")), "duplicate-join-source");
    check(around(g -> g.join(List.of(START, "a"), "c")), "join-from-start");
  }

  @Test
  void arguments_that_are_missing_or_too_many() {
    check(
        around(g ->
            g.node(ITEM, (_, _, _) -> NodeResult.nothing()).edge("a", "item").edge("item", END)),
        "needs-argument");
    check(
        around(g -> g.fanOut("a", _ -> List.of(), Target.of("c", String.class))),
        "takes-no-argument");
  }

  @Test
  void commands_together_with_edges() {
    check(around(g -> g.destinations("a", "c")), "mixed-routing");
    check(around(g -> g.destinations(START, "c")), "command-from-start");
  }

  @Test
  void routers_without_targets() {
    check(around(g -> g.route("a", _ -> "c")), "no-targets");
    check(around(g -> g.routeMany("zebra", _ -> List.of())), "no-targets");
    check(around(g -> g.fanOut("a", _ -> List.of())), "no-targets");
  }

  @Test
  void paths_that_miss() {
    check(problems(g -> g.edge("a", "b").edge("b", "c").edge("c", END)), "no-entry");
    check(
        problems(g -> g.edge(START, "a").edge("a", END).edge("b", "c").edge("c", END)),
        "unreachable",
        "unreachable");
    check(
        problems(g -> g.edge(START, "a").edge("a", "b").edge("a", "c").edge("c", END)), "no-exit");
  }

  @Test
  void a_loop_without_a_way_out() {
    check(
        problems(g ->
            g.edge(START, "a")
                .edge("a", "b")
                .edge("b", "a")
                .edge("a", "c")
                .edge("c", END)
                .node("d", NOTHING)
                .edge("c", "d")
                .edge("d", "d")),
        "no-exit",
        "endless-cycle",
        "endless-cycle");
  }

  @Test
  @Tag("R41")
  void everything_is_reported_together() {
    var problems =
        problems(g ->
            g.node("a", NOTHING)
                .channels(Channel.sum("x"), Channel.sum("x"))
                .edge(START, "a")
                .edge("a", END)
                .destinations("a", "c")
                .join(List.of("a"), "c"));
    check(
        problems,
        "duplicate-channel",
        "duplicate-node",
        "small-join",
        "mixed-routing",
        "unreachable",
        "no-exit");
    var error =
        thrown(
            InvalidGraph.class,
            () -> Graph.named("g").node("a", NOTHING).edge(START, "b").edge("a", "b").compile());
    assertThat(error.code()).isEqualTo("graph.invalid");
    assertThat(error.getMessage().lines().count()).isEqualTo(1 + error.problems().size());
  }

  @Test
  @Tag("T67")
  void later_changes_of_the_builder_do_not_touch_a_compiled_graph() throws Exception {
    var builder = Graph.named("g").node("a", NOTHING).edge(START, "a").edge("a", END);
    var graph = builder.compile();
    var hash = graph.topology().hash();
    builder.node("b", NOTHING).edge("a", "b").edge("b", END).channels(Channel.sum("x"));
    assertThat(graph.topology().nodes()).hasSize(1);
    assertThat(graph.topology().hash()).isEqualTo(hash);
    assertThat(builder.compile().topology().nodes()).hasSize(2);
    Runs.completed(graph.invoke(Input.none()));
  }

  @Test
  void options_name_the_bad_argument() {
    for (var call :
        Arrays.<org.assertj.core.api.ThrowableAssert.ThrowingCallable>asList(
            () -> RunOptions.defaults().stepLimit(0), () -> RunOptions.defaults().concurrency(0))) {
      assertThat(thrown(IllegalArgumentException.class, call))
          .hasMessageContaining("must be at least 1, was 0");
    }
    assertThat(thrown(IllegalArgumentException.class, () -> RunOptions.thread(" ")))
        .hasMessageContaining("thread");
  }
}
