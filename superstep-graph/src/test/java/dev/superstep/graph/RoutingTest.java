package dev.superstep.graph;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static dev.superstep.graph.Runs.completed;
import static dev.superstep.graph.Runs.thrown;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.Activation;
import dev.superstep.error.NodeFailed;
import dev.superstep.error.RouterFailed;
import dev.superstep.error.UnknownTarget;
import dev.superstep.node.Command;
import dev.superstep.node.Node;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Router;
import dev.superstep.node.Send;
import dev.superstep.node.Target;
import dev.superstep.node.Update;
import dev.superstep.run.Input;
import dev.superstep.state.Channel;
import dev.superstep.state.EmptyChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class RoutingTest {
  static final Channel<List<String>, String> PATH = Channel.append("path", String.class);
  static final Channel<String, String> GO = Channel.latest("go", String.class);
  static final Target<String> ITEM = Target.of("item", String.class);
  static final Target<String> TWIN = Target.of("item", String.class);
  static final Target<String> OTHER = Target.of("other", String.class);

  static final Node TRACE = (_, context) -> Update.of(PATH, context.node());

  static GraphBuilder graph(String... nodes) {
    var builder = Graph.named("routes").channels(PATH, GO);
    for (var node : nodes) builder.node(node, TRACE);
    return builder;
  }

  static List<String> path(Graph graph, String go) throws InterruptedException {
    return completed(graph.invoke(Input.of(GO, go))).get(PATH);
  }

  @Test
  void an_edge_is_always_followed() throws Exception {
    var graph = graph("a", "b").edge(START, "a").edge("a", "b").edge("b", END).compile();
    assertThat(path(graph, "")).containsExactly("a", "b");
  }

  @Test
  void a_router_chooses_one_of_its_targets() throws Exception {
    var graph =
        graph("a", "left", "right")
            .edge(START, "a")
            .route("a", state -> state.get(GO), "left", "right", END)
            .edge("left", END)
            .edge("right", END)
            .compile();
    assertThat(path(graph, "left")).containsExactly("a", "left");
    assertThat(path(graph, "right")).containsExactly("a", "right");
    assertThat(path(graph, END)).containsExactly("a");
  }

  @Test
  void a_router_after_start_sees_the_input() throws Exception {
    var graph =
        graph("left", "right")
            .route(START, state -> state.get(GO), "left", "right")
            .edge("left", END)
            .edge("right", END)
            .compile();
    assertThat(path(graph, "right")).containsExactly("right");
  }

  @Test
  void a_router_sees_the_writes_of_its_node_and_of_the_siblings() throws Exception {
    var graph =
        graph("b", "c")
            .node("a", (_, _) -> Update.of(GO, "c"))
            .edge(START, "a")
            .edge(START, "b")
            .edge("a", END)
            .route("b", state -> state.get(GO), "c", END)
            .edge("c", END)
            .compile();
    assertThat(path(graph, "x")).containsExactly("b", "c");
  }

  @Test
  @Tag("T82")
  void a_node_chosen_several_times_in_a_superstep_runs_once() throws Exception {
    var graph =
        graph("a", "b", "c")
            .edge(START, "a")
            .edge(START, "b")
            .routeMany("a", _ -> List.of("c", "c"), "c")
            .edge("b", "c")
            .edge("c", END)
            .compile();
    assertThat(path(graph, "")).containsExactly("a", "b", "c");
  }

  @Test
  void choosing_none_of_many_ends_the_path() throws Exception {
    var graph =
        graph("a", "b")
            .edge(START, "a")
            .routeMany("a", _ -> List.of(), "b")
            .edge("b", END)
            .compile();
    assertThat(path(graph, "")).containsExactly("a");
  }

  @Test
  void siblings_are_folded_in_order_of_declaration_and_not_of_edges() throws Exception {
    var graph =
        graph("z", "m", "a")
            .edge(START, "a")
            .edge(START, "z")
            .edge(START, "m")
            .edge("a", END)
            .edge("z", END)
            .edge("m", END)
            .compile();
    assertThat(path(graph, "")).containsExactly("z", "m", "a");
  }

  @Test
  @Tag("W55")
  void an_undeclared_target_fails_and_names_the_declared_ones() {
    var graph =
        graph("a", "b", "c")
            .edge(START, "a")
            .route("a", state -> state.get(GO), "b")
            .edge("b", "c")
            .edge("c", END)
            .compile();
    var error = thrown(UnknownTarget.class, () -> path(graph, "c"));
    assertThat(error).hasMessageContaining("`a`").hasMessageContaining("[b]");
    assertThat(error.code()).isEqualTo("graph.unknown-target");
  }

  @Test
  @Tag("T83")
  void an_unknown_target_of_a_command_is_answered_with_a_suggestion() {
    var graph =
        graph("review")
            .node("a", (state, _) -> Command.to(state.get(GO)))
            .edge(START, "a")
            .destinations("a", "review")
            .edge("review", END)
            .compile();
    var error = thrown(NodeFailed.class, () -> path(graph, "revew"));
    assertThat(error).hasMessageContaining("Did you mean `review`?");
    assertThat(error.getCause()).isInstanceOf(UnknownTarget.class);
    assertThat(thrown(NodeFailed.class, () -> path(graph, START)).getCause())
        .isInstanceOf(UnknownTarget.class);
  }

  @Test
  @Tag("T83")
  void a_command_may_lead_only_to_its_destinations() {
    var graph =
        graph("b", "c")
            .node("a", (state, _) -> Command.to(state.get(GO)))
            .edge(START, "a")
            .destinations("a", "b")
            .edge("b", "c")
            .edge("c", END)
            .compile();
    assertThat(thrown(NodeFailed.class, () -> path(graph, "c")))
        .hasMessageContaining("destinations")
        .hasMessageContaining("[b]");
  }

  @Test
  @Tag("T68")
  void a_command_writes_and_goes_where_it_says() throws Exception {
    var graph =
        graph("b", "c")
            .node(ITEM, (text, _, _) -> Update.of(PATH, text))
            .node("a", (_, _) -> Command.to("c", "b").with(Update.of(PATH, "a")).andSend(ITEM, "x"))
            .edge(START, "a")
            .destinations("a", "b", "c", "item")
            .edge("b", END)
            .edge("c", END)
            .edge("item", END)
            .compile();
    assertThat(path(graph, "")).containsExactly("a", "b", "c", "x");
  }

  @Test
  void a_command_to_end_ends_the_path() throws Exception {
    var graph =
        graph("b")
            .node("a", (_, _) -> Command.to(END).with(Update.of(PATH, "a")))
            .edge(START, "a")
            .destinations("a", "b", END)
            .edge("b", END)
            .compile();
    assertThat(path(graph, "")).containsExactly("a");
  }

  @Test
  @Tag("X15")
  void a_node_with_destinations_must_return_a_command() {
    var graph = graph("a", "b").edge(START, "a").destinations("a", "b").edge("b", END).compile();
    assertThat(thrown(NodeFailed.class, () -> path(graph, "")))
        .hasMessageContaining("`a`")
        .hasMessageContaining("command");
  }

  @Test
  @Tag("X15")
  void a_command_of_a_node_with_edges_is_refused() {
    var graph =
        graph("b")
            .node("a", (_, _) -> Command.to("b"))
            .edge(START, "a")
            .edge("a", "b")
            .edge("b", END)
            .compile();
    assertThat(thrown(NodeFailed.class, () -> path(graph, "")))
        .hasMessageContaining("edges of its own");
  }

  @Test
  @Tag("T82")
  void fan_out_sends_equal_arguments_as_often_as_asked() throws Exception {
    var graph =
        graph("a")
            .node(ITEM, (text, _, _) -> Update.of(PATH, text))
            .edge(START, "a")
            .fanOut("a", _ -> List.of(Send.to(ITEM, "x"), Send.to(ITEM, "x")), ITEM)
            .edge("item", END)
            .compile();
    assertThat(path(graph, "")).containsExactly("a", "x", "x");
  }

  @Test
  @Tag("T84")
  void start_may_fan_out_over_the_input() throws Exception {
    var graph =
        graph()
            .node(ITEM, (text, _, _) -> Update.of(PATH, text))
            .fanOut(
                START,
                state -> {
                  var sends = new ArrayList<Send<?>>();
                  for (var part : state.get(GO).split(",")) sends.add(Send.to(ITEM, part));
                  return sends;
                },
                ITEM)
            .edge("item", END)
            .compile();
    assertThat(path(graph, "q,w,e")).containsExactly("q", "w", "e");
  }

  @Test
  void a_send_to_another_constant_of_the_same_name_works_and_another_name_does_not()
      throws Exception {
    var builder =
        graph("a")
            .node(ITEM, (text, _, _) -> Update.of(PATH, text))
            .node(OTHER, (text, _, _) -> Update.of(PATH, text))
            .edge(START, "a")
            .edge("item", END)
            .edge("other", END);
    // A target is a value: the same name and type is the same target.
    var twin =
        builder.fanOut("a", _ -> List.of(Send.to(TWIN, "x"), Send.to(OTHER, "y")), ITEM, OTHER);
    assertThat(path(twin.compile(), "")).containsExactly("a", "x", "y");
    var narrow =
        graph("a")
            .node(ITEM, (text, _, _) -> Update.of(PATH, text))
            .edge(START, "a")
            .edge("item", END)
            .fanOut("a", _ -> List.of(Send.to(OTHER, "y")), ITEM)
            .compile();
    assertThat(thrown(UnknownTarget.class, () -> path(narrow, ""))).hasMessageContaining("`other`");
  }

  @Test
  void a_router_that_throws_is_named_and_its_exception_is_the_cause() {
    var graph =
        Graph.named("routes")
            .channels(PATH, GO)
            .node("a", TRACE)
            .edge(START, "a")
            .route("a", state -> state.get(GO), END)
            .compile();
    var error = thrown(RouterFailed.class, () -> graph.invoke(Input.none()));
    assertThat(error.from()).isEqualTo("a");
    assertThat(error).hasCauseInstanceOf(EmptyChannel.class).hasMessageContaining("`go`");
  }

  @Test
  void a_router_that_throws_an_error_or_returns_null_is_named_too() {
    for (Router<String> router :
        List.<Router<String>>of(
            _ -> {
              throw new StackOverflowError();
            },
            _ -> null)) {
      var graph = graph("a").edge(START, "a").route("a", router, END).compile();
      assertThat(thrown(RouterFailed.class, () -> path(graph, "")).from()).isEqualTo("a");
    }
    var many = graph("a").edge(START, "a").routeMany("a", _ -> null, END).compile();
    assertThat(thrown(RouterFailed.class, () -> path(many, "")).from()).isEqualTo("a");
  }

  @Test
  @Tag("E5")
  void a_node_knows_why_it_runs() throws Exception {
    Map<String, Activation> why = new ConcurrentHashMap<>();
    Node note =
        (_, context) -> {
          why.put(context.node(), context.activation());
          return NodeResult.nothing();
        };
    var graph =
        Graph.named("why")
            .node("first", note)
            .node("after", note)
            .node("chosen", note)
            .node("joined", note)
            .node(
                "boss",
                (_, context) -> {
                  why.put("boss", context.activation());
                  return Command.to("told").andSend(ITEM, "x");
                })
            .node("told", note)
            .node(
                ITEM,
                (_, _, context) -> {
                  why.put("item", context.activation());
                  return NodeResult.nothing();
                })
            .edge(START, "first")
            .edge("first", "after")
            .route("first", _ -> "chosen", "chosen")
            .join(List.of("after", "chosen"), "joined")
            .edge("joined", "boss")
            .destinations("boss", "told", "item")
            .edge("told", END)
            .edge("item", END)
            .compile();
    completed(graph.invoke(Input.none()));
    assertThat(why)
        .containsOnly(
            Map.entry("first", new Activation.Entry()),
            Map.entry("after", new Activation.Edge("first")),
            Map.entry("chosen", new Activation.Routed("first")),
            Map.entry("joined", new Activation.Joined()),
            Map.entry("boss", new Activation.Edge("joined")),
            Map.entry("told", new Activation.Commanded("boss")),
            Map.entry("item", new Activation.Sent("boss")));
  }
}
