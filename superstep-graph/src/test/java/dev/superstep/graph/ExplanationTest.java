package dev.superstep.graph;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static dev.superstep.graph.Runs.asked;
import static dev.superstep.graph.Runs.completed;
import static dev.superstep.graph.Runs.kept;
import static dev.superstep.graph.Runs.thrown;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.error.StepLimitReached;
import dev.superstep.event.Detail;
import dev.superstep.event.EdgeDecision;
import dev.superstep.event.Event;
import dev.superstep.event.Explanation;
import dev.superstep.event.NodeDecision;
import dev.superstep.json.Codec;
import dev.superstep.node.Ask;
import dev.superstep.node.Command;
import dev.superstep.node.Failure;
import dev.superstep.node.JoinPolicy;
import dev.superstep.node.Node;
import dev.superstep.node.OnFailure;
import dev.superstep.node.Question;
import dev.superstep.node.Send;
import dev.superstep.node.Target;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Input;
import dev.superstep.state.Channel;
import dev.superstep.topology.Topology.EdgeKind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Why each edge was taken or not.
@Tag("T122")
class ExplanationTest {
  enum Verdict {
    AGAIN,
    DONE
  }

  static final Channel<List<String>, String> LOG = Channel.append("log", String.class);
  static final Channel<String, String> TEXT = Channel.latest("text", String.class);
  static final Channel<Long, Long> ROUND = Channel.sum("round");
  static final Channel<String, String> LEFT = Channel.token("left", String.class);
  static final Channel<String, String> RIGHT = Channel.token("right", String.class);
  static final Target<Failure> MEND = Target.of("mend", Failure.class);
  static final Target<Integer> WORK = Target.of("work", Integer.class);
  static final Target<Integer> IDLE = Target.of("idle", Integer.class);
  static final Question<String, String> SURE = Question.of("sure", String.class, String.class);
  static final Node TRACE = (_, context) -> Update.of(LOG, context.node());

  /// A graph with edges of every kind.
  static Graph everything() {
    var builder =
        Graph.named("everything")
            .channels(LOG, TEXT, ROUND, LEFT, RIGHT)
            .questions(SURE)
            .node("write", (_, _) -> Update.of(ROUND, 1L))
            .node("check", TRACE)
            .node("after", TRACE)
            .node(
                "look",
                (_, _) -> {
                  throw new IOException("dark");
                },
                NodePolicy.defaults().onFailure(OnFailure.route(MEND)))
            .node(MEND, (_, _, _) -> Update.of(LEFT, "l"))
            .node("slow", TRACE)
            .node("slower", TRACE)
            .node("slowest", (_, _) -> Update.of(RIGHT, "r"))
            .node("pair", TRACE)
            .node("first", TRACE)
            .node("decide", (_, _) -> Command.to("publish"))
            .node("publish", TRACE)
            .node("drop", TRACE)
            .node("meet", (_, _) -> Command.to("extra"))
            .node("extra", TRACE)
            .node(
                "ask",
                (_, context) ->
                    context.resumePoint().isEmpty() ? Ask.of(SURE, "sure?") : Update.of(LOG, "ok"))
            .node(WORK, (_, _, context) -> Update.of(LOG, context.node()))
            .node(IDLE, (_, _, context) -> Update.of(LOG, context.node()))
            .node("report", TRACE);
    return wired(builder).compile();
  }

  static GraphBuilder wired(GraphBuilder builder) {
    return builder
        .edge(START, "write")
        .edge(START, "look")
        .edge(START, "slow")
        .sequence("write", "check", "after")
        .runWhenChanged("check", TEXT)
        .route(
            "after",
            Verdict.class,
            state -> state.get(ROUND) < 2 ? Verdict.AGAIN : Verdict.DONE,
            Map.of(Verdict.AGAIN, "write", Verdict.DONE, "decide"))
        .edge("look", END)
        .edge("mend", END)
        .sequence("slow", "slower", "slowest", END)
        .trigger("pair", LEFT, RIGHT)
        .edge("pair", END)
        .join(JoinPolicy.any(), List.of("write", "slower"), "first")
        .edge("first", "report")
        .destinations("decide", "publish", "drop")
        .join(List.of("slow", "decide"), "meet")
        .additiveDestinations("meet", "extra", "drop")
        .edge("meet", "ask")
        .edge("ask", "report")
        .fanOut("publish", _ -> List.of(Send.to(WORK, 1), Send.to(WORK, 2)), WORK, IDLE)
        .edge("work", "report")
        .edge("idle", "report")
        .edge("drop", END)
        .edge("extra", END)
        .edge("report", END)
        .deferred("report");
  }

  /// Runs it on one thread, with an answer in between.
  static Explanation explained(int concurrency) throws InterruptedException {
    var explanation = new Explanation();
    var options = kept().concurrency(concurrency).listener(explanation, Detail.ROUTES);
    var questions = asked(everything().invoke(Input.none(), options));
    var answers = Answers.of(questions.getFirst().id(), "yes");
    completed(everything().resume(answers, options));
    return explanation;
  }

  @Test
  @Tag("T5")
  void every_kind_of_edge_is_explained() throws Exception {
    GoldenText.check("explanation.txt", explained(1).text());
    assertThat(explained(64).text()).isEqualTo(explained(1).text());
  }

  @Test
  void edges_explained_as_followed_lead_to_the_nodes_that_run_next() throws Exception {
    var steps = explained(64).supersteps();
    for (int i = 0; i + 1 < steps.size(); i++) {
      var led =
          steps.get(i).edges().stream()
              .filter(EdgeDecision::taken)
              .map(EdgeDecision::to)
              .filter(to -> !to.equals(END))
              .toList();
      var next = steps.get(i + 1).nodes();
      assertThat(next).extracting(NodeDecision::node).containsAll(led);
      assertThat(next)
          .filteredOn(n -> !n.node().equals("report") && !n.why().contains("answered"))
          .extracting(NodeDecision::node)
          .isSubsetOf(led);
    }
  }

  @Test
  void without_a_request_no_explanation_is_published_and_routers_run_once() throws Exception {
    var routed = new AtomicInteger();
    var graph = MatrixRoutingTest.rounds(routed);
    var events = new ArrayList<Event>();
    completed(graph.invoke(Input.none(), RunOptions.defaults().listener(events::add)));
    assertThat(routed).hasValue(3);
    assertThat(events).isNotEmpty().noneMatch(Event.RoutesSelected.class::isInstance);
  }

  @Test
  void a_choice_of_the_matrix_is_explained_and_its_router_is_not_called() throws Exception {
    var routed = new AtomicInteger();
    var explanation = new Explanation();
    var options =
        RunOptions.defaults()
            .matrix(MatrixRoutingTest.secondTime())
            .listener(explanation, Detail.ROUTES);
    completed(MatrixRoutingTest.rounds(routed).invoke(Input.none(), options));
    assertThat(routed).hasValue(2);
    assertThat(explanation.supersteps().get(4).edges())
        .containsExactly(
            chosen("pick", "left", false, "the matrix chose `right` in place of the router"),
            chosen("pick", "right", true, "the matrix chose `right` in place of the router"));
    assertThat(explanation.supersteps().get(1).edges())
        .containsExactly(
            chosen("pick", "left", true, "the router chose `left`"),
            chosen("pick", "right", false, "the router chose `left`"));
  }

  private static EdgeDecision chosen(String from, String to, boolean taken, String why) {
    return new EdgeDecision(EdgeKind.ROUTED, List.of(from), to, "", taken, why);
  }

  @Test
  void a_join_that_has_fired_explains_late_arrivals() throws Exception {
    var graph =
        Graph.named("late")
            .channels(LOG)
            .node("soon", TRACE)
            .node("slow", TRACE)
            .node("late", TRACE)
            .node("meet", TRACE)
            .edge(START, "soon")
            .sequence(START, "slow", "late")
            .join(JoinPolicy.any(), List.of("soon", "late"), "meet")
            .edge("meet", END)
            .compile();
    var explanation = new Explanation();
    completed(
        graph.invoke(Input.none(), RunOptions.defaults().listener(explanation, Detail.ROUTES)));
    assertThat(explanation.supersteps())
        .flatExtracting(Event.RoutesSelected::edges)
        .filteredOn(e -> e.kind() == EdgeKind.JOINED)
        .extracting(EdgeDecision::text)
        .containsExactly(
            "soon+late -> meet: `soon` has finished, which is enough",
            "soon+late -> meet: it has fired already; who comes late is let in");
  }

  @Test
  void targets_named_by_the_input_are_explained_instead_of_edges_from_start() throws Exception {
    var explanation = new Explanation();
    var graph =
        Graph.named("seeded")
            .channels(LOG)
            .node("a", TRACE)
            .node("b", TRACE)
            .node(WORK, (_, _, context) -> Update.of(LOG, context.node()))
            .sequence(START, "a", "b", END)
            .fanOut("a", _ -> List.of(), WORK)
            .edge("work", END)
            .compile();
    var input = Input.none().startingAt("b").sending(WORK, 1).sending(WORK, 2);
    completed(graph.invoke(input, RunOptions.defaults().listener(explanation, Detail.ROUTES)));
    assertThat(explanation.text())
        .isEqualTo(
            """
            input of seeded
              taken      START -> b: the input names it
              taken      START -> work: the input sends it 2 arguments
              not taken  START -> a: the input says what runs first
            superstep 1 of seeded
              ran        b: the run starts with it
              ran        work (2 times): START sent it an argument
              taken      b -> END: always
              taken      work -> END: always
            """);
  }

  @Test
  void graphs_inside_are_explained_with_their_path() throws Exception {
    var inner =
        Graph.named("inner").channels(LOG).node("a", TRACE).sequence(START, "a", END).compile();
    var outer =
        Graph.named("outer")
            .channels(LOG)
            .node("in", Subgraph.of(inner, _ -> Input.none(), s -> Update.of(LOG, "x")))
            .sequence(START, "in", END)
            .compile();
    var explanation = new Explanation();
    completed(
        outer.invoke(Input.none(), RunOptions.defaults().listener(explanation, Detail.ROUTES)));
    assertThat(explanation.text().lines().filter(line -> !line.startsWith(" ")))
        .containsExactly(
            "input of outer",
            "input of inner in in",
            "superstep 1 of inner in in",
            "superstep 1 of outer");
  }

  @Test
  void a_hand_off_is_explained_instead_of_the_edges_of_the_outer_node() throws Exception {
    var inner =
        Graph.named("inner")
            .channels(TEXT)
            .node("a", (_, _) -> Command.toParent("boss"))
            .sequence(START, "a", END)
            .compile();
    var outer =
        Graph.named("outer")
            .channels(LOG)
            .node("in", Subgraph.of(inner, _ -> Input.none(), _ -> Update.of(LOG, "x")))
            .node("usual", TRACE)
            .node("boss", TRACE)
            .node("other", TRACE)
            .sequence(START, "in", "usual", END)
            .handOffs("in", "boss", "other")
            .edge("boss", END)
            .edge("other", END)
            .compile();
    var explanation = new Explanation();
    completed(
        outer.invoke(Input.none(), RunOptions.defaults().listener(explanation, Detail.ROUTES)));
    assertThat(explanation.supersteps().get(2).edges())
        .extracting(EdgeDecision::text)
        .containsExactlyInAnyOrder(
            "in -> usual: a node inside handed off",
            "in -> boss: a node inside handed off to it",
            "in -> other: nobody inside handed off to it");
  }

  @Test
  void tokens_of_a_task_that_has_asked_are_its_own() throws Exception {
    var graph =
        Graph.named("tokens")
            .channels(LOG, LEFT)
            .questions(SURE)
            .node(
                "ask",
                (_, context) ->
                    context.resumePoint().isEmpty() ? Ask.of(SURE, "sure?") : Update.of(LOG, "ok"))
            .trigger("ask", LEFT)
            .edge("ask", END)
            .compile();
    var explanation = new Explanation();
    asked(graph.invoke(Input.of(LEFT, "l"), kept().listener(explanation, Detail.ROUTES)));
    assertThat(explanation.supersteps().getLast().edges())
        .extracting(EdgeDecision::text)
        .containsExactly(
            "ask -> END: it asks a question, and nothing follows before the answer",
            "[left] -> ask: its tokens belong to a task that waits for an answer");
  }

  @Test
  void an_explanation_reads_back_from_json_and_is_the_same_for_a_resumed_thread() throws Exception {
    var events = new ArrayList<Event>();
    var store = new InMemoryCheckpointer();
    var options =
        RunOptions.thread("t").checkpoints(store).stepLimit(1).listener(events::add, Detail.ROUTES);
    thrown(StepLimitReached.class, () -> MatrixRoutingTest.rounds().invoke(Input.none(), options));
    for (int i = 0; i < 7; i++) {
      thrown(
          StepLimitReached.class, () -> MatrixRoutingTest.rounds().resume(Answers.none(), options));
    }
    completed(MatrixRoutingTest.rounds().resume(Answers.none(), options));
    var whole = new Explanation();
    completed(
        MatrixRoutingTest.rounds()
            .invoke(Input.none(), RunOptions.defaults().listener(whole, Detail.ROUTES)));
    var codec = Codec.of(Event.class);
    var read = events.stream().map(event -> codec.decode(event.json())).toList();
    assertThat(read).isEqualTo(events);
    assertThat(Explanation.of(read).text()).isEqualTo(whole.text()).contains("superstep 9");
  }

  @Test
  void a_router_is_asked_once_though_its_choice_is_explained() throws Exception {
    var asked = new AtomicInteger();
    var graph =
        Graph.named("once")
            .channels(LOG)
            .node("a", TRACE)
            .node("b", TRACE)
            .edge(START, "a")
            .route(
                "a",
                _ -> {
                  if (asked.incrementAndGet() > 1) throw new AssertionError("again?");
                  return "b";
                },
                "b",
                END)
            .edge("b", END)
            .compile();
    var explanation = new Explanation();
    var options = RunOptions.defaults().listener(explanation, Detail.ROUTES);
    assertThat(completed(graph.invoke(Input.none(), options)).get(LOG)).containsExactly("a", "b");
    assertThat(explanation.supersteps())
        .extracting(step -> step.origin().step())
        .containsExactly(0, 1, 2);
    assertThat(asked).hasValue(1);
  }

  @Test
  void the_oldest_supersteps_are_dropped_and_marked_as_dropped() throws Exception {
    assertThat(new Explanation().text()).isEqualTo("no superstep with Detail.ROUTES was heard\n");
    var one = explained(1).supersteps().getFirst();
    int more = 3;
    var many =
        IntStream.range(0, Explanation.SUPERSTEPS_MAX + more).<Event>mapToObj(_ -> one).toList();
    var explanation = Explanation.of(many);
    assertThat(explanation.supersteps()).hasSize(Explanation.SUPERSTEPS_MAX);
    assertThat(explanation.text()).startsWith("3 earlier supersteps were forgotten\n");
  }
}
