package dev.superstep.terminal.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.terminal.state.ConversationEvent.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("C3")
@Tag("C4")
@Tag("W46")
final class TransitionTableTest {
  private static final int CASES = Integer.getInteger("superstep.cases", 200);
  private static final int EVENTS = 60;

  @Test
  void every_status_has_an_answer_to_every_event() {
    int answered = 0;
    for (var event : Kind.values()) {
      for (var status : ConversationStatus.values()) {
        assertThat(TransitionTable.next(status, event)).isNotNull();
        answered++;
      }
      for (var status : StepStatus.values()) {
        assertThat(TransitionTable.next(status, event)).isNotNull();
        answered++;
      }
    }
    assertThat(answered).isEqualTo(Kind.values().length * 16);
  }

  @Test
  void every_event_has_a_row() {
    var rows = new HashSet<Kind>();
    TransitionTable.conversations().forEach(row -> rows.add(row.event()));
    TransitionTable.steps().forEach(row -> rows.add(row.event()));
    assertThat(rows).containsExactlyInAnyOrder(Kind.values());
  }

  @Test
  void the_transitions_of_the_seed_are_possible() {
    assertStep(StepStatus.PENDING, Kind.COMMAND_SUGGESTED, StepStatus.COMMAND_SUGGESTED);
    assertStep(StepStatus.COMMAND_SUGGESTED, Kind.COMMAND_APPROVED, StepStatus.RUNNING);
    assertStep(StepStatus.COMMAND_SUGGESTED, Kind.ALTERNATIVE_SHOWN, StepStatus.COMMAND_SUGGESTED);
    assertStep(StepStatus.RUNNING, Kind.STEP_COMPLETED, StepStatus.COMPLETE);
    assertStep(StepStatus.RUNNING, Kind.COMMAND_FAILED, StepStatus.FAILED);
    assertStep(StepStatus.FAILED, Kind.COMMAND_SUGGESTED, StepStatus.COMMAND_SUGGESTED);
    assertStep(StepStatus.RUNNING, Kind.COMMAND_SUGGESTED, StepStatus.COMMAND_SUGGESTED);
    assertStep(StepStatus.PENDING, Kind.STEP_COMPLETED, StepStatus.COMPLETE);
    assertStep(StepStatus.FAILED, Kind.STEP_SKIPPED, StepStatus.SKIPPED);
    assertStep(StepStatus.RUNNING, Kind.COMMAND_INTERRUPTED, StepStatus.INTERRUPTED);
  }

  private static void assertStep(StepStatus from, Kind event, StepStatus to) {
    assertThat(TransitionTable.next(from, event)).isEqualTo(new Transition.To<>(to));
  }

  @Test
  void what_is_final_accepts_nothing() {
    for (var status : List.of(ConversationStatus.FINISHED, ConversationStatus.ABORTED)) {
      for (var event : Kind.values()) {
        assertThat(TransitionTable.next(status, event)).isInstanceOf(Transition.Illegal.class);
      }
    }
  }

  @Test
  @Tag("C5")
  void a_skipped_last_step_lets_the_conversation_finish() {
    var progress =
        begun(2)
            .apply(new ConversationEvent.StepCompleted(0, "model"))
            .apply(new ConversationEvent.StepSkipped(1))
            .apply(new ConversationEvent.Finished());
    assertThat(progress.status()).isEqualTo(ConversationStatus.FINISHED);
    assertThat(progress.count(StepStatus.SKIPPED)).isEqualTo(1);
  }

  @Test
  void a_conversation_with_a_step_that_is_open_does_not_finish() {
    assertThatThrownBy(() -> begun(1).apply(new ConversationEvent.Finished()))
        .isInstanceOf(IllegalTransition.class);
  }

  @Test
  @Tag("C10")
  void a_step_is_not_begun_before_the_one_before_it_is_done() {
    assertThatThrownBy(() -> begun(2).apply(new ConversationEvent.CommandSuggested(1, "ls")))
        .isInstanceOf(IllegalTransition.class)
        .hasMessageContaining("in order");
  }

  @Test
  void an_error_leads_back_to_where_it_happened() {
    var planning = Progress.START.apply(new ConversationEvent.Failed("x", "y"));
    assertThat(planning.status()).isEqualTo(ConversationStatus.ERROR);
    assertThat(planning.apply(new ConversationEvent.Retried())).isEqualTo(Progress.START);
    var working = begun(1);
    assertThat(
            working
                .apply(new ConversationEvent.Failed("x", "y"))
                .apply(new ConversationEvent.Retried()))
        .isEqualTo(working);
  }

  private static Progress begun(int steps) {
    return Progress.START
        .apply(new ConversationEvent.Planned(names(steps)))
        .apply(new ConversationEvent.PlanAccepted());
  }

  private static List<String> names(int steps) {
    var names = new ArrayList<String>();
    for (int i = 0; i < steps; i++) names.add("Do part " + i);
    return names;
  }

  /// One event of each kind, about one step.
  static ConversationEvent event(Kind kind, int step, int steps) {
    return switch (kind) {
      case PLANNED -> new ConversationEvent.Planned(names(steps));
      case PLANNING_RETRIED -> new ConversationEvent.PlanningRetried("late");
      case PLAN_EDITED -> new ConversationEvent.PlanEdited(names(steps));
      case PLAN_REJECTED -> new ConversationEvent.PlanRejected("too long");
      case PLAN_ACCEPTED -> new ConversationEvent.PlanAccepted();
      case STEP_STARTED -> new ConversationEvent.StepStarted(step);
      case COMMAND_SUGGESTED -> new ConversationEvent.CommandSuggested(step, "ls");
      case ALTERNATIVE_SHOWN -> new ConversationEvent.AlternativeShown(step, "dir");
      case COMMAND_EDITED -> new ConversationEvent.CommandEdited(step, "ls -l");
      case COMMAND_EXPLAINED -> new ConversationEvent.CommandExplained(step);
      case COMMAND_DENIED -> new ConversationEvent.CommandDenied(step, "no");
      case COMMAND_REFUSED -> new ConversationEvent.CommandRefused(step, "rule");
      case COMMAND_APPROVED -> new ConversationEvent.CommandApproved(step, "person", "d");
      case APPROVAL_EXPIRED -> new ConversationEvent.ApprovalExpired(step, List.of("time"));
      case COMMAND_SUCCEEDED -> new ConversationEvent.CommandSucceeded(step);
      case COMMAND_FAILED -> new ConversationEvent.CommandFailed(step, "1");
      case COMMAND_INTERRUPTED -> new ConversationEvent.CommandInterrupted(step);
      case RETRY_CHOSEN -> new ConversationEvent.RetryChosen(step);
      case QUESTION_ASKED -> new ConversationEvent.QuestionAsked(step, "which?");
      case QUESTION_ANSWERED -> new ConversationEvent.QuestionAnswered(step, "this");
      case STEP_COMPLETED -> new ConversationEvent.StepCompleted(step, "model");
      case STEP_SKIPPED -> new ConversationEvent.StepSkipped(step);
      case FINISHED -> new ConversationEvent.Finished();
      case FAILED -> new ConversationEvent.Failed("code", "message");
      case RETRIED -> new ConversationEvent.Retried();
      case PAUSED -> new ConversationEvent.Paused();
      case RESUMED -> new ConversationEvent.Resumed();
      case ABORTED -> new ConversationEvent.Aborted();
    };
  }

  @Test
  void from_every_status_the_end_can_be_reached_and_abort_is_possible() {
    for (int steps = 1; steps <= 3; steps++) {
      var reached = reached(steps);
      var ends = new HashSet<Progress>();
      var before = new HashMap<Progress, Set<Progress>>();
      for (var progress : reached) {
        if (progress.status().isFinal()) {
          ends.add(progress);
          continue;
        }
        assertThat(progress.accepts(new ConversationEvent.Aborted())).as("%s", progress).isTrue();
        for (var next : next(progress, steps)) {
          before.computeIfAbsent(next, _ -> new HashSet<>()).add(progress);
        }
      }
      // Backwards from the ends, without abort, except where only a person can end it.
      var open = new ArrayDeque<>(ends);
      var good = new HashSet<>(ends);
      while (!open.isEmpty()) {
        for (var earlier : before.getOrDefault(open.poll(), Set.of())) {
          if (good.add(earlier)) open.add(earlier);
        }
      }
      assertThat(good).as("with %d steps", steps).containsAll(reached);
      var finished =
          ends.stream().filter(one -> one.status() == ConversationStatus.FINISHED).count();
      // Each step of a finished conversation is complete or skipped, in every combination.
      assertThat(finished).isEqualTo(1L << steps);
    }
  }

  private static Set<Progress> reached(int steps) {
    var reached = new LinkedHashSet<Progress>();
    var open = new ArrayDeque<Progress>();
    open.add(Progress.START);
    reached.add(Progress.START);
    while (!open.isEmpty()) {
      for (var next : next(open.poll(), steps)) if (reached.add(next)) open.add(next);
    }
    return reached;
  }

  private static List<Progress> next(Progress progress, int steps) {
    var next = new ArrayList<Progress>();
    for (var kind : Kind.values()) {
      for (int step = 0; step < steps; step++) {
        var event = event(kind, step, steps);
        if (progress.accepts(event)) next.add(progress.apply(event));
      }
    }
    return next;
  }

  @Test
  @Tag("C22")
  void random_events_keep_one_step_at_work_and_the_order_of_steps() {
    for (int i = 0; i < CASES; i++) {
      var random = new SplittableRandom(i);
      var progress = Progress.START;
      int steps = 1 + random.nextInt(4);
      int furthest = 0;
      for (int n = 0; n < EVENTS; n++) {
        var kind = Kind.values()[random.nextInt(Kind.values().length)];
        var event = event(kind, random.nextInt(steps), steps);
        if (!progress.accepts(event)) {
          var at = progress;
          assertThatThrownBy(() -> at.apply(event)).isInstanceOf(IllegalTransition.class);
          continue;
        }
        progress = progress.apply(event);
        assertThat(progress.count(StepStatus.RUNNING)).isLessThanOrEqualTo(1);
        if (kind == Kind.PLAN_REJECTED) furthest = 0;
        if (!progress.steps().isEmpty()) {
          assertThat(progress.current()).isGreaterThanOrEqualTo(furthest);
          furthest = progress.current();
        }
        assertThat(line(progress)).contains(label(progress));
      }
    }
  }

  private static String line(Progress progress) {
    return new StatusLine("Name", "p", progress).text();
  }

  private static String label(Progress progress) {
    boolean isAtStep = progress.status() == ConversationStatus.IN_PROGRESS;
    return isAtStep && progress.step().isPresent()
        ? "(" + progress.step().get().status().label() + ")"
        : "(" + progress.status().label() + ")";
  }

  @Test
  void the_diagram_of_the_design_is_made_of_the_table() throws IOException {
    var page = Path.of("..", "docs", "terminal-design.md");
    var text = Files.readString(page);
    var begin = "<!-- transitions -->\n";
    var end = "<!-- end of transitions -->";
    int from = text.indexOf(begin) + begin.length();
    int to = text.indexOf(end);
    assertThat(from).isGreaterThan(begin.length());
    if ("write".equals(System.getProperty("superstep.golden"))) {
      Files.writeString(
          page, text.substring(0, from) + TransitionTable.diagram() + text.substring(to));
      return;
    }
    assertThat(text.substring(from, to)).isEqualTo(TransitionTable.diagram());
  }
}
