package dev.superstep.graph;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.error.NodeFailed;
import dev.superstep.event.Event;
import dev.superstep.node.Approval;
import dev.superstep.node.Node;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Question;
import dev.superstep.node.Send;
import dev.superstep.node.Target;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome;
import dev.superstep.state.Channel;
import dev.superstep.state.State;
import dev.superstep.topology.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class SubgraphTest {
  // Of the inner graph.
  static final Channel<Integer, Integer> ITEM = Channel.latest("item", Integer.class);
  static final Channel<List<String>, String> TRAIL = Channel.append("trail", String.class);
  static final Question<Integer, Approval> SURE =
      Question.of("sure", Integer.class, Approval.class);

  // Of the outer graph.
  static final Channel<Integer, Integer> COUNT = Channel.latest("count", Integer.class);
  static final Channel<List<String>, String> RESULTS = Channel.append("results", String.class);
  static final Target<Integer> EACH = Target.of("each", Integer.class);

  private final Map<String, AtomicInteger> runs = new ConcurrentHashMap<>();

  private Update ran(String what, State state) {
    int item = state.get(ITEM);
    runs.computeIfAbsent(what + item, _ -> new AtomicInteger()).incrementAndGet();
    return Update.of(TRAIL, what + item);
  }

  private Graph inner(Node decide) {
    return Graph.named("inner")
        .channels(ITEM, TRAIL)
        .questions(SURE)
        .node("prepare", (state, _) -> ran("prepared", state))
        .node("decide", decide)
        .edge(START, "prepare")
        .edge("prepare", "decide")
        .edge("decide", END)
        .compile();
  }

  private Graph outer(Graph inner) {
    return Graph.named("outer")
        .channels(COUNT, RESULTS)
        .node("start", (_, _) -> NodeResult.nothing())
        .node(EACH, Subgraph.of(inner, (Integer item) -> Input.of(ITEM, item), SubgraphTest::last))
        .edge(START, "start")
        .fanOut("start", state -> items(state.get(COUNT)), EACH)
        .edge("each", END)
        .compile();
  }

  private static Update last(State inner) {
    return Update.of(RESULTS, inner.get(TRAIL).getLast());
  }

  private static List<Send<?>> items(int count) {
    var sends = new ArrayList<Send<?>>();
    for (int i = 0; i < count; i++) sends.add(Send.to(EACH, i));
    return sends;
  }

  private static RunOptions kept() {
    return RunOptions.thread("t").checkpoints(new InMemoryCheckpointer());
  }

  @Test
  @Tag("T103")
  void a_graph_runs_as_a_node_with_channels_of_its_own() throws Exception {
    var outer =
        Graph.named("outer")
            .channels(COUNT, RESULTS)
            .node(
                "inside",
                Subgraph.of(
                    inner((state, _) -> ran("decided", state)),
                    (State state) -> Input.of(ITEM, state.get(COUNT)),
                    SubgraphTest::last))
            .edge(START, "inside")
            .edge("inside", END)
            .compile();
    var outcome = (Outcome.Completed) outer.invoke(Input.of(COUNT, 5));
    assertThat(outcome.state().get(RESULTS)).containsExactly("decided5");
  }

  @Test
  @Tag("W25")
  void two_of_a_hundred_runs_of_one_subgraph_ask_and_get_their_own_answers() throws Exception {
    var inner =
        inner((state, context) -> {
          int item = state.get(ITEM);
          if (item != 7 && item != 42) return ran("decided", state);
          var answer = context.interrupt(SURE, item);
          return ran(answer.approved() ? "approved" : "refused", state);
        });
    var outer = outer(inner);
    var options = kept();
    var asked = (Outcome.Interrupted) outer.invoke(Input.of(COUNT, 100), options);
    assertThat(asked.questions()).extracting(SURE::read).containsExactly(7, 42);
    var fortyTwo = SURE.answer(asked.questions().get(1), Approval.no("why"));
    var one = (Outcome.Interrupted) outer.resume(new Answers(List.of(fortyTwo)), options);
    assertThat(one.questions()).extracting(SURE::read).containsExactly(7);
    var seven = SURE.answer(asked.questions().get(0), Approval.yes());
    var done = (Outcome.Completed) outer.resume(new Answers(List.of(seven)), options);
    assertThat(done.state().get(RESULTS))
        .hasSize(100)
        .contains("approved7", "refused42", "decided0");
    assertThat(done.state().get(RESULTS).get(42)).isEqualTo("refused42");
    assertThat(runs.values()).allSatisfy(count -> assertThat(count).hasValue(1));
  }

  @Test
  @Tag("T88")
  void finished_tasks_of_a_subgraph_do_not_run_again_after_a_failure() throws Exception {
    var broken = new AtomicInteger(1);
    var inner =
        inner((state, _) -> {
          if (broken.getAndDecrement() > 0) throw new IllegalStateException("boom");
          return ran("decided", state);
        });
    var outer = outer(inner);
    var options = kept();
    assertThatThrownBy(() -> outer.invoke(Input.of(COUNT, 1), options))
        .isInstanceOf(NodeFailed.class)
        .hasMessageContaining("each")
        .hasMessageContaining("boom");
    var done = (Outcome.Completed) outer.resume(Answers.none(), options);
    assertThat(done.state().get(RESULTS)).containsExactly("decided0");
    assertThat(runs.get("prepared0")).hasValue(1);
  }

  @Test
  @Tag("W21")
  void every_activation_starts_afresh() throws Exception {
    var outer =
        Graph.named("loop")
            .channels(COUNT, RESULTS)
            .node("count", (state, _) -> Update.of(COUNT, state.get(COUNT) - 1))
            .node(
                "inside",
                Subgraph.of(
                    inner((state, _) -> ran("decided", state)),
                    (State state) -> Input.of(ITEM, state.get(COUNT)),
                    inner -> Update.of(RESULTS, "" + inner.get(TRAIL).size())))
            .edge(START, "inside")
            .edge("inside", "count")
            .route("count", state -> state.get(COUNT) > 0 ? "inside" : END, "inside", END)
            .compile();
    var done = (Outcome.Completed) outer.invoke(Input.of(COUNT, 3), kept());
    assertThat(done.state().get(RESULTS)).containsExactly("2", "2", "2");
  }

  @Test
  @Tag("T100")
  void events_of_a_subgraph_have_its_path_and_the_numbering_of_the_run() throws Exception {
    var events = new ArrayList<Event>();
    var options = RunOptions.defaults().listener(events::add).concurrency(1);
    outer(inner((state, _) -> ran("decided", state))).invoke(Input.of(COUNT, 2), options);
    assertThat(events).extracting(e -> e.origin().sequence()).isSorted().doesNotHaveDuplicates();
    assertThat(events)
        .filteredOn(Event.NodeFinished.class::isInstance)
        .extracting(e -> e.origin().path() + " " + ((Event.NodeFinished) e).node())
        .containsExactly(
            "[] start",
            "[each#0] prepare",
            "[each#0] decide",
            "[] each",
            "[each#1] prepare",
            "[each#1] decide",
            "[] each");
  }

  @Test
  void a_question_of_a_subgraph_is_published_once() throws Exception {
    var events = new ArrayList<Event>();
    var inner =
        inner((state, context) -> {
          context.interrupt(SURE, state.get(ITEM));
          return NodeResult.nothing();
        });
    outer(inner).invoke(Input.of(COUNT, 1), kept().listener(events::add));
    assertThat(events).filteredOn(Event.InterruptRaised.class::isInstance).hasSize(1);
  }

  @Test
  @Tag("A17")
  void a_change_inside_changes_the_identity_of_the_outer_graph() {
    var one = outer(inner((_, _) -> NodeResult.nothing()));
    var other =
        outer(
            Graph.named("inner")
                .channels(ITEM, TRAIL)
                .node("only", (_, _) -> NodeResult.nothing())
                .edge(START, "only")
                .edge("only", END)
                .compile());
    assertThat(one.topology().hash()).isNotEqualTo(other.topology().hash());
    assertThat(Topology.parse(one.topology().json())).isEqualTo(one.topology());
    assertThat(one.topology().mermaid()).contains("subgraph", "prepare", "decide");
  }

  @Test
  void wrapper_code_maps_input_and_output_of_a_subgraph_and_may_skip_it() throws Exception {
    var outer =
        around(
            (item, state, context, within) -> {
              if (item == 1) return Update.of(RESULTS, "left out of " + state.get(COUNT));
              var inside = (Update) within.run(item * 10);
              return Update.of(RESULTS, "around").and(inside);
            },
            inner((state, _) -> ran("decided", state)));
    var end = (Outcome.Completed) outer.invoke(Input.of(COUNT, 3), kept());
    assertThat(end.state().get(RESULTS))
        .containsExactly("around", "decided0", "left out of 3", "around", "decided20");
  }

  @Test
  void wrapper_code_of_a_subgraph_that_asks_runs_again_and_the_subgraph_resumes() throws Exception {
    var begun = new AtomicInteger();
    var outer =
        around(
            (item, _, _, within) -> {
              begun.incrementAndGet();
              return within.run(item);
            },
            inner((state, context) -> {
              context.interrupt(SURE, state.get(ITEM));
              return ran("decided", state);
            }));
    var options = kept();
    var asked = (Outcome.Interrupted) outer.invoke(Input.of(COUNT, 1), options);
    var yes = Answers.of(asked.questions().getFirst().id(), SURE, Approval.yes());
    var end = (Outcome.Completed) outer.resume(yes, options);
    assertThat(end.state().get(RESULTS)).containsExactly("decided0");
    assertThat(begun).hasValue(2);
    assertThat(runs.get("prepared0")).hasValue(1);
  }

  @Test
  void a_subgraph_with_wrapper_code_runs_once_per_node() {
    var outer =
        around(
            (item, _, _, within) -> {
              within.run(item);
              return within.run(item);
            },
            inner((state, _) -> ran("decided", state)));
    assertThatThrownBy(() -> outer.invoke(Input.of(COUNT, 1)))
        .isInstanceOf(NodeFailed.class)
        .hasMessageContaining("graph `inner` runs once in its node");
  }

  private Graph around(Subgraph.Interceptor<Integer> code, Graph inner) {
    var inside = Subgraph.of(inner, (Integer item) -> Input.of(ITEM, item), SubgraphTest::last);
    return Graph.named("outer")
        .channels(COUNT, RESULTS)
        .node("start", (_, _) -> NodeResult.nothing())
        .node(EACH, inside.interceptor(code))
        .edge(START, "start")
        .fanOut("start", state -> items(state.get(COUNT)), EACH)
        .edge("each", END)
        .compile();
  }
}
