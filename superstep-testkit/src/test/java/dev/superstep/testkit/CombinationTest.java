package dev.superstep.testkit;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.checkpoint.InMemoryNodeCache;
import dev.superstep.checkpoint.Interrupt;
import dev.superstep.event.Event;
import dev.superstep.graph.Graph;
import dev.superstep.graph.GraphBuilder;
import dev.superstep.graph.NodePolicy;
import dev.superstep.graph.RunOptions;
import dev.superstep.graph.Subgraph;
import dev.superstep.json.Codec;
import dev.superstep.node.Ask;
import dev.superstep.node.CachePolicy;
import dev.superstep.node.Node;
import dev.superstep.node.NodeContext;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Question;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Breakpoints;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome;
import dev.superstep.state.Channel;
import dev.superstep.state.State;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Capabilities of the engine that meet in one graph.
@Timeout(30)
class CombinationTest {
  private static final Channel<List<String>, String> SAID = Channel.append("said", String.class);
  private static final Channel<String, String> TOPIC = Channel.latest("topic", String.class);
  private static final Channel<String, String> REPORT = Channel.latest("report", String.class);
  private static final Channel<List<String>, String> NOTES =
      Channel.delta(
          "notes",
          Codec.listOf(String.class),
          Codec.of(String.class),
          List.of(),
          CombinationTest::with);
  private static final Question<String, String> ASK =
      Question.of("ask", String.class, String.class);

  private static List<String> with(List<String> list, String more) {
    var all = new ArrayList<>(list);
    all.add(more);
    return List.copyOf(all);
  }

  private final ConcurrentHashMap<String, Integer> runs = new ConcurrentHashMap<>();
  private final EventRecorder recorder = new EventRecorder();

  private RunOptions kept() {
    return RunOptions.thread("t").checkpoints(new InMemoryCheckpointer()).listener(recorder);
  }

  private static List<Interrupt> asked(Outcome outcome) {
    assertThat(outcome).isInstanceOf(Outcome.Interrupted.class);
    return ((Outcome.Interrupted) outcome).questions();
  }

  private static State completed(Outcome outcome) {
    assertThat(outcome).isInstanceOf(Outcome.Completed.class);
    return ((Outcome.Completed) outcome).state();
  }

  private static void paused(Outcome outcome) {
    assertThat(outcome).isInstanceOf(Outcome.Stopped.class);
    assertThat(((Outcome.Stopped) outcome).reason()).isEqualTo(Outcome.Reason.PAUSED);
  }

  private int ran(String node) {
    return runs.getOrDefault(node, 0);
  }

  /// Says its name, and counts how often it ran.
  private NodeResult say(NodeContext context) {
    runs.merge(context.node(), 1, Integer::sum);
    return Update.of(SAID, context.node());
  }

  /// Asks by what it returns, and says the answer.
  private NodeResult ask(NodeContext context) {
    runs.merge(context.node(), 1, Integer::sum);
    return context.resumePoint().isEmpty()
        ? Ask.of(ASK, "which?").with(Update.of(SAID, "asked"))
        : Update.of(SAID, context.answer(ASK));
  }

  private GraphBuilder graph(String... names) {
    var builder = Graph.named("combined").channels(SAID, TOPIC, REPORT).questions(ASK);
    Node say = (_, context) -> say(context);
    for (var name : names) builder.node(name, say);
    return builder;
  }

  /// A branch that asks, once it may begin, beside one of two nodes, which declare all that they
  /// use.
  private Graph askingBeside(CountDownLatch begin) {
    return graph()
        .node(
            "ask",
            (_, context) -> {
              begin.await();
              return ask(context);
            })
        .node("after", (_, context) -> say(context))
        .node("next", (_, _) -> Update.of(REPORT, "made"))
        .sequence(START, "ask", "after", END)
        .edge(START, "topic")
        .node("topic", (_, _) -> Update.of(TOPIC, "whales"))
        .sequence("topic", "next", END)
        .reads("ask")
        .writes("ask", SAID)
        .reads("after")
        .writes("after", SAID)
        .reads("topic")
        .writes("topic", TOPIC)
        .reads("next", TOPIC)
        .writes("next", REPORT)
        .compile();
  }

  @Test
  @Tag("A15")
  void a_returned_question_waits_while_dataflow_runs_other_branches() throws Exception {
    // It asks only once a node of the next superstep has begun.
    var ahead = new CountDownLatch(1);
    var options =
        kept()
            .dataflow()
            .listener(event -> {
              if (event instanceof Event.NodeStarted e && e.node().equals("next")) {
                ahead.countDown();
              }
            });
    var graph = askingBeside(ahead);
    var open = asked(graph.invoke(Input.none(), options)).getFirst();
    assertThat(ran("after")).isZero();
    assertThat(ran("ask")).isEqualTo(1);
    var state = completed(graph.resume(Answers.of(open.id(), ASK, "blue"), options));
    assertThat(state.get(SAID)).containsExactly("asked", "blue", "after");
    assertThat(ran("ask")).isEqualTo(2);
    assertThat(ran("after")).isEqualTo(1);
    // What ran ahead is not done again.
    assertThat(recorder.events(Event.NodeFinished.class))
        .filteredOn(e -> e.node().equals("next"))
        .hasSize(1);
    // The same without running ahead.
    var plain = askingBeside(new CountDownLatch(0));
    var inOrder = kept();
    asked(plain.invoke(Input.none(), inOrder));
    var expected = completed(plain.resume(Answers.to(ASK, "blue"), inOrder));
    assertThat(state.get(SAID)).isEqualTo(expected.get(SAID));
    assertThat(state.get(REPORT)).isEqualTo(expected.get(REPORT));
  }

  @Test
  void a_gated_node_that_returned_a_question_resumes_with_the_answer_although_nothing_changed()
      throws Exception {
    var graph =
        graph()
            .node("topic", (_, _) -> Update.of(TOPIC, "whales"))
            .node("ask", (_, context) -> ask(context))
            .node("again", (_, context) -> say(context))
            .sequence(START, "topic", "ask", "again")
            .runWhenChanged("ask", TOPIC)
            .route(
                "again",
                state -> state.get(SAID).stream().filter("again"::equals).count() < 2 ? "ask" : END,
                "ask",
                END)
            .compile();
    var options = kept();
    var open = asked(graph.invoke(Input.none(), options)).getFirst();
    var state = completed(graph.resume(Answers.of(open.id(), ASK, "blue"), options));
    // The second time round its gate is closed: it neither runs nor asks.
    assertThat(state.get(SAID)).containsExactly("asked", "blue", "again", "again");
    assertThat(recorder.events(Event.NodeSkipped.class))
        .extracting(Event.NodeSkipped::node)
        .containsExactly("ask");
    assertThat(recorder.events(Event.InterruptRaised.class)).hasSize(1);
  }

  @Test
  void a_returned_question_and_its_continuation_are_never_cached() throws Exception {
    var policy = NodePolicy.defaults().cache(CachePolicy.by(_ -> "same"));
    var graph =
        graph()
            .node("ask", (_, context) -> ask(context), policy)
            .node("work", (_, context) -> say(context), policy)
            .sequence(START, "ask", "work", END)
            .compile();
    var cache = InMemoryNodeCache.holding(100);
    for (var answer : List.of("blue", "red")) {
      var options = kept().cache(cache);
      var open = asked(graph.invoke(Input.none(), options)).getFirst();
      var state = completed(graph.resume(Answers.of(open.id(), ASK, answer), options));
      assertThat(state.get(SAID)).containsExactly("asked", answer, "work");
    }
    assertThat(ran("ask")).isEqualTo(4);
    assertThat(ran("work")).isEqualTo(1);
    assertThat(recorder.events(Event.NodeCached.class))
        .extracting(Event.NodeCached::node)
        .containsExactly("work");
  }

  private static GraphBuilder inner(String... names) {
    var builder = Graph.named("inner").channels(SAID, NOTES).questions(ASK);
    for (var name : names) {
      builder.node(name, (_, _) -> Update.of(SAID, name).and(NOTES, "note of " + name));
    }
    return builder;
  }

  private static Graph around(Graph inner) {
    return Graph.named("around")
        .channels(SAID, NOTES)
        .node("before", (_, _) -> Update.of(SAID, "before").and(NOTES, "note of before"))
        .node("inside", Subgraph.shared(inner))
        .node("beside", (_, _) -> Update.of(SAID, "beside").and(NOTES, "note of beside"))
        .node("after", (_, _) -> Update.of(SAID, "after").and(NOTES, "note of after"))
        .sequence(START, "before", "inside", "after", END)
        .sequence("before", "beside", END)
        .compile();
  }

  @Test
  void a_paused_shared_subgraph_returns_its_writes_once_when_it_resumes() throws Exception {
    var pausing =
        inner("a", "b")
            .sequence(START, "a", "b", END)
            .breakpoints(Breakpoints.none().before("b"))
            .compile();
    var graph = around(pausing);
    var options = kept();
    paused(graph.invoke(Input.none(), options));
    var waiting = graph.state(options).orElseThrow();
    assertThat(waiting.state().get(SAID)).containsExactly("before");
    assertThat(waiting.inside().get("inside").state().get(SAID)).containsExactly("before", "a");
    var state = completed(graph.resume(Answers.none(), options));
    assertThat(state.get(SAID)).containsExactly("before", "a", "b", "beside", "after");
    // The sibling had finished when the run paused.
    var finished = recorder.events(Event.NodeFinished.class);
    assertThat(finished).filteredOn(e -> e.node().equals("beside")).hasSize(1);
    assertThat(recorder.events(Event.SubgraphStarted.class)).hasSize(1);
    assertThat(recorder.events(Event.SubgraphCompleted.class)).hasSize(1);
  }

  @Test
  void breakpoints_at_a_shared_subgraph_and_inside_it_are_separate() throws Exception {
    var pausing =
        inner("a", "b")
            .sequence(START, "a", "b", END)
            .breakpoints(Breakpoints.none().after("a"))
            .compile();
    var graph = around(pausing);
    var options = kept().breakpoints(Breakpoints.none().before("inside").after("inside"));
    for (int pauses = 0; pauses < 3; pauses++) {
      paused(
          pauses == 0
              ? graph.invoke(Input.none(), options)
              : graph.resume(Answers.none(), options));
    }
    var state = completed(graph.resume(Answers.none(), options));
    assertThat(state.get(SAID)).containsExactly("before", "a", "b", "beside", "after");
  }

  @Test
  void a_shared_subgraph_writes_a_delta_channel_as_its_nodes_would_have() throws Exception {
    var graph = around(inner("a", "b").sequence(START, "a", "b", END).compile());
    var options = kept();
    var notes = completed(graph.invoke(Input.none(), options)).get(NOTES);
    assertThat(notes)
        .containsExactly(
            "note of before", "note of a", "note of b", "note of beside", "note of after");
    assertThat(graph.state(options).orElseThrow().state().get(NOTES)).isEqualTo(notes);
  }

  @Test
  void a_shared_subgraph_that_asks_returns_its_delta_writes_when_it_is_answered() throws Exception {
    var asking =
        inner("a")
            .node("ask", (_, context) -> Update.of(NOTES, context.interrupt(ASK, "which?")))
            .sequence(START, "a", "ask", END)
            .compile();
    var graph = around(asking);
    var options = kept();
    var open = asked(graph.invoke(Input.none(), options)).getFirst();
    var waiting = graph.state(options).orElseThrow();
    assertThat(waiting.state().get(NOTES)).containsExactly("note of before");
    assertThat(waiting.inside().get("inside").state().get(NOTES))
        .containsExactly("note of before", "note of a");
    var state = completed(graph.resume(Answers.of(open.id(), ASK, "blue"), options));
    assertThat(state.get(NOTES))
        .containsExactly("note of before", "note of a", "blue", "note of beside", "note of after");
  }
}
