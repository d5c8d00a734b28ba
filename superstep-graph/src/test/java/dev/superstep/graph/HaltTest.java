package dev.superstep.graph;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.Interrupt;
import dev.superstep.error.NodeFailed;
import dev.superstep.graph.internal.kernel.Halt;
import dev.superstep.graph.internal.kernel.Halt.DeadlineReached;
import dev.superstep.graph.internal.kernel.ResumeRecords;
import dev.superstep.graph.internal.kernel.RouteOverride;
import dev.superstep.graph.internal.kernel.Snapshot;
import dev.superstep.graph.internal.kernel.Superstep;
import dev.superstep.graph.internal.kernel.TaskResult;
import dev.superstep.graph.internal.kernel.Wait;
import dev.superstep.json.Json;
import dev.superstep.node.NodeResult;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// The decision to halt, without a run.
final class HaltTest {
  private static final Graph GRAPH =
      Graph.named("two")
          .node("a", (_, _) -> NodeResult.nothing())
          .node("b", (_, _) -> NodeResult.nothing())
          .edge(START, "a")
          .edge(START, "b")
          .edge("a", END)
          .edge("b", END)
          .compile();

  private static final TaskResult FINISHED = TaskResult.Finished.NOTHING;
  private static final TaskResult FAILED = new TaskResult.Failed(new IllegalStateException("no"));
  private static final TaskResult LATE = new TaskResult.Failed(new DeadlineReached());
  private static final TaskResult STOPPED = new TaskResult.Failed(new InterruptedException());
  private static final TaskResult ASKING = TaskResult.Waiting.asking(List.of(question()));
  private static final TaskResult TURN = new TaskResult.Waiting(new Wait.ForTurn());
  private static final RuntimeException TOO_MANY = new IllegalStateException("too many");

  private static Interrupt question() {
    return new Interrupt("q", "t", "a", 0, "", "ask", "String", Json.string("?"));
  }

  private static TaskResult stopped(Outcome.Reason why) {
    return new TaskResult.Waiting(Wait.stopped(why));
  }

  /// Limits that are what they are said to be.
  private record Given(
      boolean breakpoint, boolean late, boolean inside, boolean draining, boolean spent, int left)
      implements Halt.Limits {
    static final Given NONE = new Given(false, false, false, false, false, 1);

    @Override
    public boolean isBreakpoint(Superstep step) {
      return breakpoint;
    }

    @Override
    public boolean isPastDeadline() {
      return late;
    }

    @Override
    public boolean isInside() {
      return inside;
    }

    @Override
    public boolean isDraining() {
      return draining;
    }

    @Override
    public boolean isSpent() {
      return spent;
    }

    @Override
    public @Nullable RuntimeException count(Superstep step) {
      return left > 0 ? null : TOO_MANY;
    }
  }

  private static Superstep step(Snapshot at) {
    return new Superstep(at, GRAPH.compiled().kernel().plan(at), ResumeRecords.NONE);
  }

  private static Superstep begun() {
    var kernel = GRAPH.compiled().kernel();
    var begin = new Snapshot.Begin("c", "g");
    var from = Snapshot.initial(GRAPH.compiled().index());
    return step(kernel.input(from, Input.none(), begin, RouteOverride.NONE).next());
  }

  private static @Nullable Halt before(Given limits) {
    return Halt.before(begun(), GRAPH.compiled().kernel(), limits);
  }

  private static @Nullable Halt after(Given limits, TaskResult... ends) {
    return Halt.after(begun(), List.of(ends), GRAPH.compiled().kernel(), limits);
  }

  private static Halt resume(Outcome.Reason why) {
    return new Halt.Waiting(new Wait.ForResume(why));
  }

  @Test
  void a_superstep_begins_if_nothing_halts_it() {
    assertThat(before(Given.NONE)).isNull();
    assertThat(after(Given.NONE, FINISHED, FINISHED)).isNull();
  }

  @Test
  void a_breakpoint_has_precedence_over_all_limits() {
    assertThat(before(new Given(true, true, false, true, true, 0)))
        .isEqualTo(resume(Outcome.Reason.PAUSED));
  }

  @Test
  void the_deadline_has_precedence_over_a_drain_but_a_subgraph_leaves_it_to_its_outer_task() {
    assertThat(before(new Given(false, true, false, true, true, 0)))
        .isEqualTo(resume(Outcome.Reason.DEADLINE));
    assertThat(before(new Given(false, true, true, true, true, 0)))
        .isEqualTo(resume(Outcome.Reason.DRAINED));
    assertThat(before(new Given(false, true, true, false, false, 1))).isNull();
  }

  @Test
  void a_run_that_may_begin_no_task_waits_for_its_turn_before_it_counts_supersteps() {
    assertThat(before(new Given(false, false, false, false, true, 0)))
        .isEqualTo(new Halt.Waiting(new Wait.ForTurn()));
    assertThat(before(new Given(false, false, false, false, false, 0)))
        .isEqualTo(new Halt.Failed(TOO_MANY));
  }

  @Test
  void without_pending_tasks_the_run_ends_whatever_the_limits_are() {
    var at = step(Snapshot.initial(GRAPH.compiled().index()));
    var limits = new Given(false, true, false, true, true, 0);
    assertThat(Halt.before(at, GRAPH.compiled().kernel(), limits)).isEqualTo(new Halt.Done());
  }

  @Test
  void the_deadline_ends_a_superstep_only_if_nothing_worse_happened() {
    assertThat(after(Given.NONE, FINISHED, LATE)).isEqualTo(resume(Outcome.Reason.DEADLINE));
    assertThat(after(Given.NONE, ASKING, LATE)).isEqualTo(resume(Outcome.Reason.DEADLINE));
    assertThat(after(Given.NONE, FAILED, LATE)).isInstanceOf(Halt.Failed.class);
    assertThat(after(Given.NONE, LATE, FAILED)).isInstanceOf(Halt.Failed.class);
  }

  @Test
  void an_interruption_is_of_the_deadline_only_once_that_is_past() {
    assertThat(after(Given.NONE, STOPPED)).isInstanceOf(Halt.Failed.class);
    assertThat(after(new Given(false, true, false, false, false, 1), STOPPED))
        .isEqualTo(resume(Outcome.Reason.DEADLINE));
  }

  @Test
  void a_failure_names_its_task_and_suppresses_the_other_failures() {
    var failed = after(Given.NONE, FAILED, FAILED);
    assertThat(failed)
        .isInstanceOfSatisfying(
            Halt.Failed.class,
            halt -> {
              assertThat(halt.error()).isInstanceOf(NodeFailed.class).hasMessageContaining("`a`");
              assertThat(halt.error().getSuppressed()).hasSize(1);
            });
  }

  @Test
  void a_breakpoint_in_a_subgraph_is_reported_before_questions_and_these_before_a_task_limit() {
    var paused = stopped(Outcome.Reason.PAUSED);
    var drained = stopped(Outcome.Reason.DRAINED);
    assertThat(after(Given.NONE, ASKING, drained)).isEqualTo(resume(Outcome.Reason.DRAINED));
    assertThat(after(Given.NONE, drained, paused)).isEqualTo(resume(Outcome.Reason.PAUSED));
    assertThat(after(Given.NONE, TURN, ASKING))
        .isEqualTo(new Halt.Waiting(new Wait.ForAnswers(List.of(question()))));
    assertThat(after(Given.NONE, TURN, FINISHED)).isEqualTo(new Halt.Waiting(new Wait.ForTurn()));
    assertThat(after(Given.NONE, FAILED, paused)).isInstanceOf(Halt.Failed.class);
  }
}
