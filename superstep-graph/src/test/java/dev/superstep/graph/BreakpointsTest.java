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

import dev.superstep.checkpoint.ForwardingCheckpointer;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.checkpoint.Lease;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.checkpoint.StepRecord;
import dev.superstep.checkpoint.StoreFailed;
import dev.superstep.error.InvalidGraph;
import dev.superstep.error.InvalidUse;
import dev.superstep.error.InvalidUse.Reason;
import dev.superstep.error.NodeFailed;
import dev.superstep.event.Event;
import dev.superstep.graph.internal.persistence.StopMarkers;
import dev.superstep.node.Ask;
import dev.superstep.node.NodeContext;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Question;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Breakpoints;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome;
import dev.superstep.run.Problem;
import dev.superstep.run.StateUpdate;
import dev.superstep.state.Channel;
import dev.superstep.state.State;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Places where a run stops by itself.
@Tag("G26")
@Tag("T75")
class BreakpointsTest {
  static final Channel<List<String>, String> SAID = Channel.append("said", String.class);
  static final Question<String, String> ASK = Question.of("ask", String.class, String.class);

  private final AtomicInteger broken = new AtomicInteger();

  private GraphBuilder line() {
    var builder = Graph.named("line").channels(SAID).questions(ASK).edge(START, "a");
    for (var name : List.of("a", "b", "c")) builder.node(name, (_, in) -> say(in));
    return builder.edge("a", "b").edge("b", "c").edge("c", END);
  }

  private NodeResult say(NodeContext context) {
    if (context.node().equals("b") && broken.getAndDecrement() > 0) {
      throw new IllegalStateException("broken");
    }
    return Update.of(SAID, context.node());
  }

  private Graph line(Breakpoints breakpoints) {
    return line().breakpoints(breakpoints).compile();
  }

  private static State paused(Outcome outcome) {
    assertThat(outcome).isInstanceOf(Outcome.Stopped.class);
    var stopped = (Outcome.Stopped) outcome;
    assertThat(stopped.reason()).isEqualTo(Outcome.Reason.PAUSED);
    return stopped.state();
  }

  @Test
  void a_run_stops_before_and_after_the_named_nodes_and_once_at_each_breakpoint() throws Exception {
    var breakpoints = Breakpoints.none().before("b").after("b");
    var options = kept();
    assertThat(paused(line(breakpoints).invoke(Input.none(), options)).get(SAID))
        .containsExactly("a");
    assertThat(line(breakpoints).state(options).orElseThrow().next()).containsExactly("b");
    assertThat(paused(line(breakpoints).resume(Answers.none(), options)).get(SAID))
        .containsExactly("a", "b");
    assertThat(completed(line(breakpoints).resume(Answers.none(), options)).get(SAID))
        .containsExactly("a", "b", "c");
  }

  @Test
  void after_a_node_and_before_the_next_is_a_single_breakpoint() throws Exception {
    var options = kept();
    var graph = line(Breakpoints.none().after("a").before("b"));
    paused(graph.invoke(Input.none(), options));
    completed(graph.resume(Answers.none(), options));
  }

  @Test
  void a_run_can_stop_before_its_first_node_and_after_its_last() throws Exception {
    var options = kept();
    var graph = line(Breakpoints.none().before("a").after("c"));
    assertThat(paused(graph.invoke(Input.none(), options)).get(SAID)).isEmpty();
    assertThat(paused(graph.resume(Answers.none(), options)).get(SAID))
        .containsExactly("a", "b", "c");
    completed(graph.resume(Answers.none(), options));
    assertThat(paused(graph.invoke(Input.none(), options)).get(SAID)).hasSize(3);
  }

  @Test
  void breakpoints_everywhere_run_one_superstep_per_call() throws Exception {
    var options = kept();
    var graph = line(Breakpoints.everyStep());
    assertThat(paused(graph.invoke(Input.none(), options)).get(SAID)).containsExactly("a");
    assertThat(paused(graph.resume(Answers.none(), options)).get(SAID)).containsExactly("a", "b");
    assertThat(completed(graph.resume(Answers.none(), options)).get(SAID)).hasSize(3);
  }

  @Test
  void breakpoints_of_a_call_are_added_to_those_of_the_graph_for_that_call_only() throws Exception {
    var graph = line(Breakpoints.none().before("c"));
    var options = kept();
    var once = options.breakpoints(Breakpoints.none().before("b"));
    assertThat(paused(graph.invoke(Input.none(), once)).get(SAID)).containsExactly("a");
    assertThat(paused(graph.resume(Answers.none(), once)).get(SAID)).containsExactly("a", "b");
    completed(graph.resume(Answers.none(), options));
    assertThat(paused(graph.invoke(Input.none(), options)).get(SAID))
        .containsExactly("a", "b", "c", "a", "b");
  }

  @Test
  void a_breakpoint_is_reported_as_the_reason_of_the_stop() throws Exception {
    var events = new CopyOnWriteArrayList<Event>();
    paused(line(Breakpoints.none().before("b")).invoke(Input.none(), kept().listener(events::add)));
    assertThat(kinds(events)).endsWith("step.finished [b]", "run.stopped");
    assertThat(((Event.RunStopped) events.getLast()).reason()).isEqualTo("PAUSED");
  }

  @Test
  void a_node_that_does_not_exist_is_a_problem_of_the_graph_or_an_error_of_the_call() {
    assertThat(
            thrown(InvalidGraph.class, () -> line(Breakpoints.none().before("a").after("bb")))
                .problems())
        .extracting(Problem::code)
        .containsExactly("unknown-pause");
    var graph = line(Breakpoints.none());
    var options = kept();
    var error =
        thrown(
            InvalidUse.class,
            () -> graph.invoke(Input.none(), options.breakpoints(Breakpoints.none().after("aa"))));
    assertThat(error).satisfies(invalid(Reason.UNKNOWN_PAUSE));
    assertThat(error.subject()).isEqualTo("aa");
    assertThat(graph.state(options)).isEmpty();
  }

  @Test
  void a_breakpoint_without_a_checkpointer_is_an_error_before_anything_runs() {
    var outer = outer(line(Breakpoints.everyStep()));
    var unstored = RunOptions.defaults().breakpoints(Breakpoints.everyStep());
    for (var run :
        List.<ThrowingCallable>of(
            () -> line(Breakpoints.everyStep()).invoke(Input.none()),
            () -> line(Breakpoints.none()).invoke(Input.none(), unstored),
            () -> outer.invoke(Input.none()))) {
      assertThat(thrown(InvalidUse.class, run)).satisfies(invalid(Reason.PAUSE_NEEDS_CHECKPOINTER));
    }
  }

  /// A store that fails instead of noting a pause.
  private static RunOptions dying(InMemoryCheckpointer store, AtomicInteger deaths) {
    return RunOptions.thread("t")
        .checkpoints(
            new ForwardingCheckpointer(store) {
              @Override
              public StepRecord saveStep(
                  Lease lease, Lineage lineage, String checkpoint, StepRecord step) {
                if (step.task().equals(StopMarkers.PAUSED) && deaths.getAndDecrement() > 0) {
                  throw new StoreFailed("memory", "it died", new IllegalStateException("died"));
                }
                return super.saveStep(lease, lineage, checkpoint, step);
              }
            });
  }

  @Test
  void a_breakpoint_that_was_never_reported_is_not_skipped_after_a_crash() throws Exception {
    var store = new InMemoryCheckpointer();
    var options = dying(store, new AtomicInteger(1));
    var graph = line(Breakpoints.none().before("b"));
    thrown(StoreFailed.class, () -> graph.invoke(Input.none(), options));
    assertThat(paused(graph.resume(Answers.none(), options)).get(SAID)).containsExactly("a");
    completed(graph.resume(Answers.none(), options));
  }

  @Test
  void a_failed_superstep_does_not_stop_at_its_breakpoint_again() throws Exception {
    broken.set(1);
    var options = kept();
    var graph = line(Breakpoints.none().before("b"));
    paused(graph.invoke(Input.none(), options));
    thrown(NodeFailed.class, () -> graph.resume(Answers.none(), options));
    completed(graph.resume(Answers.none(), options));
  }

  private Graph outer(Graph inner) {
    return Graph.named("outer")
        .channels(SAID)
        .questions(ASK)
        .node("in", Subgraph.of(inner, _ -> Input.none(), s -> Update.all(SAID, s.get(SAID))))
        .node("beside", (_, in) -> say(in))
        .node("b", (_, in) -> say(in))
        .edge(START, "in")
        .edge(START, "beside")
        .edge(START, "b")
        .edge("in", END)
        .edge("beside", END)
        .edge("b", END)
        .compile();
  }

  @Test
  void a_breakpoint_in_a_subgraph_stops_the_run_and_the_subgraph_resumes_there() throws Exception {
    var inner = line(Breakpoints.none().before("c").after("c"));
    var options = kept();
    assertThat(paused(outer(inner).invoke(Input.none(), options)).get(SAID)).isEmpty();
    paused(outer(inner).resume(Answers.none(), options));
    assertThat(completed(outer(inner).resume(Answers.none(), options)).get(SAID))
        .containsExactly("a", "b", "c", "beside", "b");
  }

  @Test
  void a_breakpoint_in_a_subgraph_hidden_by_an_outer_failure_is_reported_later() throws Exception {
    var inner =
        Graph.named("inner")
            .channels(SAID)
            .node("x", (_, _) -> Update.of(SAID, "x"))
            .edge(START, "x")
            .edge("x", END)
            .breakpoints(Breakpoints.none().before("x"))
            .compile();
    broken.set(1);
    var options = kept();
    var graph = outer(inner);
    thrown(NodeFailed.class, () -> graph.invoke(Input.none(), options));
    paused(graph.resume(Answers.none(), options));
    assertThat(completed(graph.resume(Answers.none(), options)).get(SAID))
        .containsExactly("x", "beside", "b");
  }

  @Test
  void a_question_and_a_breakpoint_in_sibling_subgraphs_are_reported_one_after_the_other()
      throws Exception {
    var inner = line(Breakpoints.none().before("c"));
    var graph =
        Graph.named("outer")
            .channels(SAID)
            .questions(ASK)
            .node("in", Subgraph.of(inner, _ -> Input.none(), _ -> Update.of(SAID, "in")))
            .node("asks", (_, context) -> Update.of(SAID, context.interrupt(ASK, "?")))
            .edge(START, "in")
            .edge(START, "asks")
            .edge("in", END)
            .edge("asks", END)
            .compile();
    var options = kept();
    paused(graph.invoke(Input.none(), options));
    var open = graph.state(options).orElseThrow().questions();
    assertThat(open).hasSize(1);
    assertThat(asked(graph.resume(Answers.none(), options))).isEqualTo(open);
    assertThat(completed(graph.resume(Answers.of(open.getFirst().id(), "yes"), options)).get(SAID))
        .containsExactly("in", "yes");
  }

  @Test
  void a_node_that_returned_a_question_stops_at_its_breakpoint_before_it_resumes()
      throws Exception {
    var starts = new ArrayList<String>();
    var graph =
        Graph.named("asks")
            .channels(SAID)
            .questions(ASK)
            .node("begin", (_, _) -> NodeResult.nothing())
            .node(
                "a",
                (_, context) -> {
                  starts.add(context.resumePoint().orElse("begin"));
                  return context.resumePoint().isEmpty()
                      ? Ask.of(ASK, "?")
                      : Update.of(SAID, context.answer(ASK));
                })
            .edge(START, "begin")
            .edge("begin", "a")
            .edge("a", END)
            .breakpoints(Breakpoints.none().before("a"))
            .compile();
    var options = kept();
    paused(graph.invoke(Input.none(), options));
    var open = asked(graph.resume(Answers.none(), options)).getFirst();
    paused(graph.resume(Answers.of(open.id(), "yes"), options));
    assertThat(starts).containsExactly("begin");
    assertThat(completed(graph.resume(Answers.none(), options)).get(SAID)).containsExactly("yes");
    assertThat(starts).containsExactly("begin", "ask");
  }

  @Test
  void an_edit_of_a_paused_thread_does_not_pause_it_again() throws InterruptedException {
    var graph = line(Breakpoints.none().before("b"));
    var options = RunOptions.thread("t").checkpoints(new InMemoryCheckpointer());
    paused(graph.invoke(Input.none(), options));
    var edited = graph.update(options, StateUpdate.as("a", Update.of(SAID, "edited")));
    assertThat(edited.next()).containsExactly("b");
    var outcome = graph.resume(Answers.none(), options);
    assertThat(((Outcome.Completed) outcome).state().get(SAID))
        .containsExactly("a", "edited", "b", "c");
  }

  @Test
  void an_edit_that_makes_something_else_due_pauses_there() throws InterruptedException {
    var graph = line(Breakpoints.none().before("b", "c"));
    var options = RunOptions.thread("t").checkpoints(new InMemoryCheckpointer());
    paused(graph.invoke(Input.none(), options));
    var edited = graph.update(options, StateUpdate.as("b", Update.of(SAID, "edited")));
    assertThat(edited.next()).containsExactly("c");
    assertThat(paused(graph.resume(Answers.none(), options)).get(SAID))
        .containsExactly("a", "edited");
  }
}
