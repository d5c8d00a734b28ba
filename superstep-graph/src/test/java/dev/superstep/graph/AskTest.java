package dev.superstep.graph;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static dev.superstep.graph.Runs.asked;
import static dev.superstep.graph.Runs.completed;
import static dev.superstep.graph.Runs.invalid;
import static dev.superstep.graph.Runs.kept;
import static dev.superstep.graph.Runs.kinds;
import static dev.superstep.graph.Runs.thrown;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.superstep.checkpoint.Activation;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.error.AnswerRejected;
import dev.superstep.error.InvalidUse;
import dev.superstep.error.InvalidUse.Reason;
import dev.superstep.error.NodeFailed;
import dev.superstep.error.StepLimitReached;
import dev.superstep.error.ThreadError;
import dev.superstep.event.Event;
import dev.superstep.node.Approval;
import dev.superstep.node.Ask;
import dev.superstep.node.Node;
import dev.superstep.node.NodeContext;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Question;
import dev.superstep.node.Send;
import dev.superstep.node.Target;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Input;
import dev.superstep.state.Channel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Questions that a node returns.
@Tag("X6")
@Tag("E7")
class AskTest {
  static final Channel<List<String>, String> SAID = Channel.append("said", String.class);
  static final Question<String, String> ASK = Question.of("ask", String.class, String.class);
  static final Question<String, Approval> SURE = Question.of("sure", String.class, Approval.class);
  static final Target<Integer> WORK = Target.of("work", Integer.class);

  private final Map<String, AtomicInteger> runs = new ConcurrentHashMap<>();

  private int run(NodeContext context) {
    return runs.computeIfAbsent(context.node(), _ -> new AtomicInteger()).incrementAndGet();
  }

  /// Asks once, then says what was answered.
  private NodeResult askOnce(NodeContext context) {
    run(context);
    if (context.resumePoint().isEmpty()) {
      return Ask.of(ASK, context.node() + "?").with(Update.of(SAID, context.node() + " asks"));
    }
    return Update.of(SAID, context.node() + " " + context.answer(ASK));
  }

  private NodeResult say(NodeContext context) {
    run(context);
    return Update.of(SAID, context.node());
  }

  private Graph line() {
    return Graph.named("line")
        .channels(SAID)
        .questions(ASK, SURE)
        .node("a", (_, context) -> askOnce(context))
        .node("b", (_, context) -> say(context))
        .edge(START, "a")
        .edge("a", "b")
        .edge("b", END)
        .compile();
  }

  @Test
  void writes_are_folded_once_and_the_node_resumes_with_the_answer() throws Exception {
    var options = kept();
    var open = asked(line().invoke(Input.none(), options)).getFirst();
    assertThat(ASK.read(open)).isEqualTo("a?");
    assertThat(open.point()).isEqualTo("ask");
    var before = line().state(options).orElseThrow();
    assertThat(before.state().get(SAID)).containsExactly("a asks");
    assertThat(before.next()).containsExactly("a");
    assertThat(before.questions()).containsExactly(open);
    var outcome = line().resume(Answers.of(open.id(), "yes"), options);
    assertThat(completed(outcome).get(SAID)).containsExactly("a asks", "a yes", "b");
    assertThat(runs.get("a")).hasValue(2);
    assertThat(runs.get("b")).hasValue(1);
  }

  @Test
  void a_node_may_ask_again_and_again_and_each_time_at_another_point() throws Exception {
    var points = new ArrayList<String>();
    var graph =
        Graph.named("points")
            .channels(SAID)
            .questions(ASK, SURE)
            .node(
                "a",
                (_, context) -> {
                  var point = context.resumePoint().orElse("begin");
                  points.add(point);
                  return switch (point) {
                    case "begin" -> Ask.of(ASK, "name?").resumeAt("named");
                    case "named" ->
                        Ask.of(SURE, "sure?")
                            .with(Update.of(SAID, context.answer(ASK)))
                            .resumeAt("approved");
                    default -> Update.of(SAID, "" + context.answer(SURE).approved());
                  };
                })
            .edge(START, "a")
            .edge("a", END)
            .compile();
    var options = kept();
    var one = asked(graph.invoke(Input.none(), options)).getFirst();
    var two = asked(graph.resume(Answers.of(one.id(), "Rex"), options)).getFirst();
    assertThat(two.id()).isNotEqualTo(one.id());
    assertThat(two.point()).isEqualTo("approved");
    var outcome = graph.resume(Answers.of(two.id(), Approval.yes()), options);
    assertThat(completed(outcome).get(SAID)).containsExactly("Rex", "true");
    assertThat(points).containsExactly("begin", "named", "approved");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 64})
  void what_follows_siblings_runs_beside_the_open_question_and_then_the_barrier_waits(int most)
      throws Exception {
    var graph =
        Graph.named("beside")
            .channels(SAID)
            .questions(ASK)
            .node("a", (_, context) -> askOnce(context))
            .node("b", (_, context) -> say(context))
            .node("c", (_, context) -> say(context))
            .node("d", (_, context) -> say(context))
            .edge(START, "a")
            .edge(START, "b")
            .edge("b", "c")
            .edge("c", "d")
            .edge("d", END)
            .edge("a", END)
            .compile();
    var options = kept().concurrency(most);
    var open = asked(graph.invoke(Input.none(), options));
    assertThat(open).hasSize(1);
    assertThat(runs).containsOnlyKeys("a", "b", "c");
    assertThat(graph.state(options).orElseThrow().state().get(SAID)).containsExactly("a asks", "b");
    assertThat(asked(graph.resume(Answers.none(), options))).isEqualTo(open);
    var end = completed(graph.resume(Answers.of(open.getFirst().id(), "yes"), options));
    assertThat(end.get(SAID)).containsExactly("a asks", "b", "c", "a yes", "d");
    assertThat(runs.values()).extracting(AtomicInteger::get).containsExactlyInAnyOrder(2, 1, 1, 1);
  }

  @Test
  @Tag("W18")
  void several_questions_may_be_answered_singly_and_only_the_answered_nodes_run() throws Exception {
    var builder = Graph.named("many").channels(SAID).questions(ASK);
    for (var name : List.of("a", "b", "c")) {
      builder.node(name, (_, context) -> askOnce(context)).edge(START, name).edge(name, END);
    }
    var graph = builder.compile();
    var options = kept();
    var open = asked(graph.invoke(Input.none(), options));
    assertThat(open).extracting(ASK::read).containsExactly("a?", "b?", "c?");
    assertThat(asked(graph.resume(Answers.of(open.get(2).id(), "3"), options)))
        .containsExactly(open.get(0), open.get(1));
    assertThat(asked(graph.resume(Answers.of(open.get(0).id(), "1"), options)))
        .containsExactly(open.get(1));
    assertThat(runs.get("b")).hasValue(1);
    var end = completed(graph.resume(Answers.of(open.get(1).id(), "2"), options));
    assertThat(end.get(SAID)).containsExactly("a asks", "b asks", "c asks", "a 1", "b 2", "c 3");
    assertThat(runs.values()).allSatisfy(count -> assertThat(count).hasValue(2));
  }

  @Test
  @Tag("W19")
  @Tag("A4")
  @Tag("T96")
  void sent_nodes_keep_their_arguments_and_get_their_own_answers() throws Exception {
    var graph =
        Graph.named("sent")
            .channels(SAID)
            .questions(ASK)
            .node(
                WORK,
                (n, _, context) ->
                    context.resumePoint().isEmpty()
                        ? Ask.of(ASK, "" + n)
                        : Update.of(SAID, n + context.answer(ASK)))
            .fanOut(START, _ -> List.of(Send.to(WORK, 7), Send.to(WORK, 7), Send.to(WORK, 9)), WORK)
            .edge("work", END)
            .compile();
    var options = kept();
    var open = asked(graph.invoke(Input.none(), options));
    assertThat(open).extracting(ASK::read).containsExactly("7", "7", "9");
    var answers = Answers.none();
    for (int i = 2; i >= 0; i--) answers = answers.and(ASK.answer(open.get(i), "-" + i));
    assertThat(completed(graph.resume(answers, options)).get(SAID))
        .containsExactly("7-0", "7-1", "9-2");
  }

  @Test
  void a_node_with_an_open_question_that_an_edge_activates_runs_as_a_separate_task()
      throws Exception {
    var tasks = new CopyOnWriteArrayList<String>();
    var graph =
        Graph.named("twice")
            .channels(SAID)
            .questions(ASK)
            .node(
                "a",
                (state, context) -> {
                  tasks.add(context.task());
                  if (context.activation() instanceof Activation.Resumed) {
                    return Update.of(SAID, "answered " + context.answer(ASK));
                  }
                  return state.get(SAID).isEmpty()
                      ? Ask.of(ASK, "?").with(Update.of(SAID, "asked"))
                      : Update.of(SAID, "activated");
                })
            .node("b", (_, _) -> NodeResult.nothing())
            .edge(START, "a")
            .edge(START, "b")
            .edge("b", "a")
            .edge("a", END)
            .compile();
    var options = kept();
    var open = asked(graph.invoke(Input.none(), options)).getFirst();
    var end = completed(graph.resume(Answers.of(open.id(), "yes"), options));
    assertThat(end.get(SAID)).containsExactly("asked", "activated", "answered yes");
    assertThat(tasks).hasSize(3).doesNotHaveDuplicates();
  }

  @Test
  void a_join_waits_for_the_node_that_asked_to_return_something_else() throws Exception {
    var graph =
        Graph.named("join")
            .channels(SAID)
            .questions(ASK)
            .node("a", (_, context) -> askOnce(context))
            .node("b", (_, context) -> say(context))
            .node("c", (_, context) -> say(context))
            .edge(START, "a")
            .edge(START, "b")
            .join(List.of("a", "b"), "c")
            .edge("c", END)
            .compile();
    var options = kept();
    var open = asked(graph.invoke(Input.none(), options)).getFirst();
    assertThat(runs).doesNotContainKey("c");
    var end = completed(graph.resume(Answers.of(open.id(), "yes"), options));
    assertThat(end.get(SAID)).containsExactly("a asks", "b", "a yes", "c");
  }

  @Test
  void a_deferred_node_waits_for_the_answer_too() throws Exception {
    var graph =
        Graph.named("deferred")
            .channels(SAID)
            .questions(ASK)
            .node("a", (_, context) -> askOnce(context))
            .node("last", (_, context) -> askOnce(context))
            .deferred("last")
            .edge(START, "a")
            .edge(START, "last")
            .edge("a", END)
            .edge("last", END)
            .compile();
    var options = kept();
    var one = asked(graph.invoke(Input.none(), options));
    assertThat(one).extracting(ASK::read).containsExactly("a?");
    var two = asked(graph.resume(Answers.of(one.getFirst().id(), "yes"), options));
    assertThat(two).extracting(ASK::read).containsExactly("last?");
    var end = completed(graph.resume(Answers.of(two.getFirst().id(), "no"), options));
    assertThat(end.get(SAID)).containsExactly("a asks", "a yes", "last asks", "last no");
  }

  @Test
  void a_question_from_a_graph_inside_is_one_of_the_whole_run() throws Exception {
    var done = Channel.append("done", String.class);
    var graph =
        Graph.named("outer")
            .channels(done)
            .node(
                "in",
                Subgraph.of(line(), _ -> Input.none(), state -> Update.all(done, state.get(SAID))))
            .edge(START, "in")
            .edge("in", END)
            .compile();
    var events = new CopyOnWriteArrayList<Event>();
    var options = kept().listener(events::add);
    var open = asked(graph.invoke(Input.none(), options)).getFirst();
    assertThat(graph.state(options).orElseThrow().questions()).containsExactly(open);
    assertThat(kinds(events)).filteredOn(k -> k.startsWith("interrupt")).hasSize(1);
    var end = completed(graph.resume(Answers.of(open.id(), "yes"), options));
    assertThat(end.get(done)).containsExactly("a asks", "a yes", "b");
    assertThat(runs.get("a")).hasValue(2);
  }

  @Test
  void a_question_is_published_after_it_is_saved_and_no_superstep_begins_only_to_wait()
      throws Exception {
    var events = new CopyOnWriteArrayList<Event>();
    var store = new InMemoryCheckpointer();
    var options = RunOptions.thread("t").checkpoints(store);
    var graph = line();
    var open = new CopyOnWriteArrayList<String>();
    asked(
        graph.invoke(
            Input.none(),
            options.listener(event -> {
              events.add(event);
              if (!(event instanceof Event.InterruptRaised raised)) return;
              assertThat(graph.state(options).orElseThrow().questions())
                  .containsExactly(raised.interrupt());
              open.add(raised.interrupt().id());
            })));
    assertThat(open).hasSize(1);
    assertThat(kinds(events))
        .containsExactly(
            "run.started",
            "step.started [a]",
            "node.started a",
            "node.finished a",
            "step.finished [a]",
            "interrupt.raised a",
            "run.interrupted 1");
  }

  @Test
  void the_step_limit_is_not_reached_while_all_pending_tasks_wait() throws Exception {
    var options = kept().stepLimit(1);
    var open = asked(line().invoke(Input.none(), options)).getFirst();
    assertThat(
            thrown(
                    StepLimitReached.class,
                    () -> line().resume(Answers.of(open.id(), "yes"), options))
                .due())
        .containsExactly("b");
    assertThat(completed(line().resume(Answers.none(), options)).get(SAID))
        .containsExactly("a asks", "a yes", "b");
  }

  @Test
  void a_thread_that_waits_takes_no_new_input_and_no_second_answer() throws Exception {
    var options = kept();
    var open = asked(line().invoke(Input.none(), options)).getFirst();
    assertThat(thrown(ThreadError.class, () -> line().invoke(Input.none(), options)))
        .hasMessageContaining(open.id());
    completed(line().resume(Answers.of(open.id(), "yes"), options));
    thrown(AnswerRejected.class, () -> line().resume(Answers.of(open.id(), "no"), options));
  }

  @Test
  void a_node_that_fails_after_its_answer_runs_again_with_the_same_answer() throws Exception {
    var broken = new AtomicInteger(1);
    var graph =
        Graph.named("broken")
            .channels(SAID)
            .questions(ASK)
            .node(
                "a",
                (_, context) -> {
                  if (context.resumePoint().isEmpty()) return Ask.of(ASK, "?");
                  if (broken.getAndDecrement() > 0) throw new IllegalStateException("no");
                  return Update.of(SAID, context.answer(ASK));
                })
            .edge(START, "a")
            .edge("a", END)
            .compile();
    var options = kept();
    var open = asked(graph.invoke(Input.none(), options)).getFirst();
    thrown(NodeFailed.class, () -> graph.resume(Answers.of(open.id(), "yes"), options));
    assertThat(completed(graph.resume(Answers.none(), options)).get(SAID)).containsExactly("yes");
  }

  @Test
  void a_node_that_was_resumed_may_still_ask_on_the_spot() throws Exception {
    var graph =
        Graph.named("both")
            .channels(SAID)
            .questions(ASK)
            .node(
                "a",
                (_, context) ->
                    context.resumePoint().isEmpty()
                        ? Ask.of(ASK, "first?")
                        : Update.of(SAID, context.answer(ASK) + context.interrupt(ASK, "second?")))
            .edge(START, "a")
            .edge("a", END)
            .compile();
    var options = kept();
    var one = asked(graph.invoke(Input.none(), options)).getFirst();
    var two = asked(graph.resume(Answers.of(one.id(), "1"), options)).getFirst();
    assertThat(ASK.read(two)).isEqualTo("second?");
    assertThat(graph.state(options).orElseThrow().questions()).containsExactly(two);
    assertThat(completed(graph.resume(Answers.of(two.id(), "2"), options)).get(SAID))
        .containsExactly("12");
  }

  @Test
  void the_answer_to_another_question_is_an_error_that_says_where_to_look() throws Exception {
    var graph =
        Graph.named("wrong")
            .channels(SAID)
            .questions(ASK, SURE)
            .node(
                "a",
                (_, context) -> {
                  if (context.resumePoint().isEmpty()) return Ask.of(ASK, "?");
                  return Update.of(SAID, "" + context.answer(SURE));
                })
            .edge(START, "a")
            .edge("a", END)
            .compile();
    var options = kept();
    var open = asked(graph.invoke(Input.none(), options)).getFirst();
    var error = thrown(NodeFailed.class, () -> graph.resume(Answers.of(open.id(), "yes"), options));
    assertThat(error).satisfies(invalid(Reason.NO_ANSWER)).hasMessageContaining("resumePoint");
    assertThat(((InvalidUse) error.getCause()).subject()).isEqualTo("sure");
  }

  @Test
  void an_answer_outside_of_a_resumption_is_an_error() {
    var graph = only((_, context) -> Update.of(SAID, context.answer(ASK)));
    assertThat(thrown(NodeFailed.class, () -> graph.invoke(Input.none(), kept())))
        .satisfies(invalid(Reason.NO_ANSWER));
  }

  @Test
  void a_returned_question_needs_a_thread_and_a_declaration() {
    var graph = only((_, _) -> Ask.of(ASK, "?"));
    assertThat(thrown(NodeFailed.class, () -> graph.invoke(Input.none())))
        .satisfies(invalid(Reason.INTERRUPT_NEEDS_CHECKPOINTER));
    var stranger = only((_, _) -> Ask.of(SURE, "?"));
    assertThat(thrown(NodeFailed.class, () -> stranger.invoke(Input.none(), kept())))
        .satisfies(invalid(Reason.UNDECLARED_QUESTION));
    assertThatIllegalArgumentException().isThrownBy(() -> Ask.of(ASK, "?").resumeAt(" "));
  }

  @Test
  void a_subgraph_node_cannot_return_a_question() {
    var inner = only((_, _) -> NodeResult.nothing());
    var graph =
        Graph.named("outer")
            .questions(ASK)
            .node("in", Subgraph.of(inner, _ -> Input.none(), _ -> Ask.of(ASK, "?")))
            .edge(START, "in")
            .edge("in", END)
            .compile();
    assertThat(thrown(NodeFailed.class, () -> graph.invoke(Input.none(), kept())))
        .satisfies(invalid(Reason.MISPLACED_ASK));
  }

  private static Graph only(Node node) {
    return Graph.named("only")
        .channels(SAID)
        .questions(ASK)
        .node("a", node)
        .edge(START, "a")
        .edge("a", END)
        .compile();
  }
}
