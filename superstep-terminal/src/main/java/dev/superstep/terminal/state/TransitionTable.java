package dev.superstep.terminal.state;

import static dev.superstep.terminal.state.ConversationStatus.ABORTED;
import static dev.superstep.terminal.state.ConversationStatus.ERROR;
import static dev.superstep.terminal.state.ConversationStatus.FINISHED;
import static dev.superstep.terminal.state.ConversationStatus.IN_PROGRESS;
import static dev.superstep.terminal.state.ConversationStatus.NEEDS_INPUT;
import static dev.superstep.terminal.state.ConversationStatus.PAUSED;
import static dev.superstep.terminal.state.ConversationStatus.PLANNING;
import static dev.superstep.terminal.state.ConversationStatus.READY;
import static dev.superstep.terminal.state.StepStatus.CANCELLED;
import static dev.superstep.terminal.state.StepStatus.COMMAND_SUGGESTED;
import static dev.superstep.terminal.state.StepStatus.COMPLETE;
import static dev.superstep.terminal.state.StepStatus.FAILED;
import static dev.superstep.terminal.state.StepStatus.INTERRUPTED;
import static dev.superstep.terminal.state.StepStatus.PENDING;
import static dev.superstep.terminal.state.StepStatus.RUNNING;
import static dev.superstep.terminal.state.StepStatus.SKIPPED;

import dev.superstep.terminal.state.ConversationEvent.Kind;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The transitions of conversations and of steps, as data. What is not in it is not possible.
/// [Progress] applies it; the diagram of the guide is made of it.
public final class TransitionTable {
  /// A row for conversations: the event, from which statuses, and to which; empty goes back.
  record ConversationRow(
      Kind event, Set<ConversationStatus> from, Optional<ConversationStatus> to) {}

  /// A row for the step that an event names.
  record StepRow(Kind event, Set<StepStatus> from, StepStatus to) {}

  private static final List<ConversationRow> CONVERSATIONS =
      List.of(
          row(Kind.PLANNED, PLANNING, READY),
          row(Kind.PLANNING_RETRIED, PLANNING, PLANNING),
          row(Kind.PLAN_EDITED, READY, READY),
          row(Kind.PLAN_REJECTED, READY, PLANNING),
          row(Kind.PLAN_ACCEPTED, READY, IN_PROGRESS),
          row(Kind.QUESTION_ASKED, IN_PROGRESS, NEEDS_INPUT),
          row(Kind.QUESTION_ANSWERED, NEEDS_INPUT, IN_PROGRESS),
          row(Kind.FINISHED, IN_PROGRESS, FINISHED),
          rows(Kind.FAILED, Set.of(PLANNING, IN_PROGRESS), ERROR),
          back(Kind.RETRIED, ERROR),
          rows(Kind.PAUSED, Set.of(PLANNING, READY, IN_PROGRESS, NEEDS_INPUT), PAUSED),
          back(Kind.RESUMED, PAUSED),
          rows(
              Kind.ABORTED,
              Set.of(PLANNING, READY, IN_PROGRESS, NEEDS_INPUT, PAUSED, ERROR),
              ABORTED));

  private static final List<StepRow> STEPS =
      List.of(
          step(Kind.STEP_STARTED, Set.of(PENDING), PENDING),
          step(
              Kind.COMMAND_SUGGESTED,
              Set.of(PENDING, RUNNING, FAILED, INTERRUPTED),
              COMMAND_SUGGESTED),
          step(Kind.ALTERNATIVE_SHOWN, Set.of(COMMAND_SUGGESTED), COMMAND_SUGGESTED),
          step(Kind.COMMAND_EDITED, Set.of(COMMAND_SUGGESTED), COMMAND_SUGGESTED),
          step(Kind.COMMAND_EXPLAINED, Set.of(COMMAND_SUGGESTED), COMMAND_SUGGESTED),
          step(Kind.COMMAND_DENIED, Set.of(COMMAND_SUGGESTED), PENDING),
          step(Kind.COMMAND_REFUSED, Set.of(COMMAND_SUGGESTED), FAILED),
          step(Kind.COMMAND_APPROVED, Set.of(COMMAND_SUGGESTED), RUNNING),
          step(Kind.APPROVAL_EXPIRED, Set.of(RUNNING), COMMAND_SUGGESTED),
          step(Kind.COMMAND_SUCCEEDED, Set.of(RUNNING), RUNNING),
          step(Kind.COMMAND_FAILED, Set.of(RUNNING), FAILED),
          step(Kind.COMMAND_INTERRUPTED, Set.of(RUNNING), INTERRUPTED),
          step(Kind.RETRY_CHOSEN, Set.of(FAILED), FAILED),
          step(Kind.QUESTION_ASKED, Set.of(PENDING, RUNNING, FAILED, INTERRUPTED), PENDING),
          step(Kind.QUESTION_ANSWERED, Set.of(PENDING), PENDING),
          step(Kind.STEP_COMPLETED, Set.of(PENDING, RUNNING, FAILED, INTERRUPTED), COMPLETE),
          step(Kind.STEP_SKIPPED, Set.of(PENDING, COMMAND_SUGGESTED, FAILED, INTERRUPTED), SKIPPED),
          step(
              Kind.ABORTED,
              Set.of(PENDING, COMMAND_SUGGESTED, RUNNING, FAILED, INTERRUPTED),
              CANCELLED));

  private static final Map<Kind, ConversationRow> BY_EVENT = new EnumMap<>(Kind.class);
  private static final Map<Kind, StepRow> BY_STEP_EVENT = new EnumMap<>(Kind.class);

  static {
    CONVERSATIONS.forEach(row -> BY_EVENT.put(row.event(), row));
    STEPS.forEach(row -> BY_STEP_EVENT.put(row.event(), row));
  }

  private TransitionTable() {}

  private static ConversationRow row(Kind event, ConversationStatus from, ConversationStatus to) {
    return rows(event, Set.of(from), to);
  }

  private static ConversationRow rows(
      Kind event, Set<ConversationStatus> from, ConversationStatus to) {
    return new ConversationRow(event, from, Optional.of(to));
  }

  private static ConversationRow back(Kind event, ConversationStatus from) {
    return new ConversationRow(event, Set.of(from), Optional.empty());
  }

  private static StepRow step(Kind event, Set<StepStatus> from, StepStatus to) {
    return new StepRow(event, from, to);
  }

  /// The transition of a conversation. An event of a step alone is possible while the steps are
  /// worked through, and leaves the conversation as it is.
  public static Transition<ConversationStatus> next(ConversationStatus status, Kind event) {
    var row = BY_EVENT.get(event);
    if (row == null) {
      return status == IN_PROGRESS
          ? new Transition.To<>(status)
          : new Transition.Illegal<>(reason("a conversation", status.label(), event));
    }
    if (!row.from().contains(status)) {
      return new Transition.Illegal<>(reason("a conversation", status.label(), event));
    }
    return row.to()
        .<Transition<ConversationStatus>>map(Transition.To::new)
        .orElseGet(Transition.Back::new);
  }

  /// The transition of the step that an event names. An event of the conversation alone leaves it
  /// as it is.
  public static Transition<StepStatus> next(StepStatus status, Kind event) {
    var row = BY_STEP_EVENT.get(event);
    if (row == null) return new Transition.To<>(status);
    return row.from().contains(status)
        ? new Transition.To<>(row.to())
        : new Transition.Illegal<>(reason("a step", status.label(), event));
  }

  private static String reason(String what, String status, Kind event) {
    return "`%s` is not possible for %s that is %s.".formatted(event, what, status);
  }

  /// The rows for conversations, in order.
  static List<ConversationRow> conversations() {
    return CONVERSATIONS;
  }

  /// The rows for steps, in order.
  static List<StepRow> steps() {
    return STEPS;
  }

  /// Both tables as Mermaid state diagrams, for the guide.
  public static String diagram() {
    var lines = new ArrayList<String>();
    lines.add("```mermaid");
    lines.add("stateDiagram-v2");
    lines.add("  [*] --> " + PLANNING);
    for (var row : CONVERSATIONS) {
      for (var from : sorted(row.from())) {
        var to = row.to().map(Enum::name).orElse("the status before");
        if (row.to().isEmpty()) {
          lines.add("  note right of " + from + " : " + row.event() + " leads back to " + to);
        } else {
          lines.add("  " + from + " --> " + to + " : " + row.event());
        }
      }
    }
    lines.add("  " + FINISHED + " --> [*]");
    lines.add("  " + ABORTED + " --> [*]");
    lines.add("```");
    lines.add("");
    lines.add("```mermaid");
    lines.add("stateDiagram-v2");
    lines.add("  [*] --> " + PENDING);
    for (var row : STEPS) {
      for (var from : sorted(row.from())) {
        lines.add("  " + from + " --> " + row.to() + " : " + row.event());
      }
    }
    for (var last : List.of(COMPLETE, SKIPPED, CANCELLED)) lines.add("  " + last + " --> [*]");
    lines.add("```");
    return String.join("\n", lines) + "\n";
  }

  private static <E extends Enum<E>> List<E> sorted(Set<E> statuses) {
    return statuses.stream().sorted().toList();
  }
}
