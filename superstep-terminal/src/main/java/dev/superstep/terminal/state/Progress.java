package dev.superstep.terminal.state;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// How far a conversation is: the fold of its events by [TransitionTable]. It is the value of a
/// channel of the conversation's thread, and there is no other record of it. Immutable.
///
/// @param before the status to go back to from an error or a pause
public record Progress(
    ConversationStatus status, Optional<ConversationStatus> before, List<StepProgress> steps) {
  /// A conversation that has just begun.
  public static final Progress START =
      new Progress(ConversationStatus.PLANNING, Optional.empty(), List.of());

  public Progress {
    steps = List.copyOf(steps);
  }

  /// The place of the step that is worked at, from 0; the number of steps if all are done.
  public int current() {
    for (int i = 0; i < steps.size(); i++) if (!steps.get(i).status().isDone()) return i;
    return steps.size();
  }

  /// The step that is worked at, or empty if there is none.
  public Optional<StepProgress> step() {
    return current() < steps.size() ? Optional.of(steps.get(current())) : Optional.empty();
  }

  /// The number of steps with this status.
  public long count(StepStatus wanted) {
    return steps.stream().filter(step -> step.status() == wanted).count();
  }

  /// What an event makes of this.
  ///
  /// @throws IllegalTransition if it is not possible here
  public Progress apply(ConversationEvent event) {
    var refusal = refusal(event);
    if (refusal.isPresent()) throw new IllegalTransition(refusal.get());
    var next =
        switch (TransitionTable.next(status, event.kind())) {
          case Transition.To<ConversationStatus>(var to) -> to;
          case Transition.Back<ConversationStatus> _ -> before.orElseThrow();
          case Transition.Illegal<ConversationStatus>(var why) -> throw new IllegalTransition(why);
        };
    return new Progress(next, before(next, event), steps(event));
  }

  /// Returns whether [#apply] accepts an event.
  public boolean accepts(ConversationEvent event) {
    return refusal(event).isEmpty();
  }

  private Optional<String> refusal(ConversationEvent event) {
    if (TransitionTable.next(status, event.kind())
        instanceof Transition.Illegal<ConversationStatus>(var why)) {
      return Optional.of(why);
    }
    return switch (event) {
      case ConversationEvent.Planned e -> count(e.steps());
      case ConversationEvent.PlanEdited e -> count(e.steps());
      case ConversationEvent.Finished _ ->
          current() == steps.size() && !steps.isEmpty()
              ? Optional.empty()
              : Optional.of("A conversation is finished when every step is complete or skipped.");
      case ConversationEvent.OfStep e -> ofStep(e);
      default -> Optional.empty();
    };
  }

  private static Optional<String> count(List<String> steps) {
    return steps.isEmpty() ? Optional.of("A plan has at least one step.") : Optional.empty();
  }

  private Optional<String> ofStep(ConversationEvent.OfStep event) {
    if (event.step() != current() || event.step() >= steps.size()) {
      return Optional.of(
          "Steps are worked through in order: step %d is due, the event is about step %d."
              .formatted(current() + 1, event.step() + 1));
    }
    return TransitionTable.next(steps.get(event.step()).status(), event.kind())
            instanceof Transition.Illegal<StepStatus>(var why)
        ? Optional.of(why)
        : Optional.empty();
  }

  private Optional<ConversationStatus> before(ConversationStatus next, ConversationEvent event) {
    boolean isLeft = event instanceof ConversationEvent.Failed;
    if (isLeft || event instanceof ConversationEvent.Paused) return Optional.of(status);
    return next == status ? before : Optional.empty();
  }

  private List<StepProgress> steps(ConversationEvent event) {
    return switch (event) {
      case ConversationEvent.Planned e -> pending(e.steps());
      case ConversationEvent.PlanEdited e -> pending(e.steps());
      case ConversationEvent.PlanRejected _ -> List.of();
      case ConversationEvent.Aborted _ -> steps.stream().map(Progress::cancelled).toList();
      case ConversationEvent.OfStep e -> moved(e);
      default -> steps;
    };
  }

  private static List<StepProgress> pending(List<String> descriptions) {
    return descriptions.stream().map(one -> new StepProgress(one, StepStatus.PENDING)).toList();
  }

  private static StepProgress cancelled(StepProgress step) {
    return step.status().isFinal() ? step : step.as(StepStatus.CANCELLED);
  }

  private List<StepProgress> moved(ConversationEvent.OfStep event) {
    var step = steps.get(event.step());
    if (TransitionTable.next(step.status(), event.kind())
        instanceof Transition.To<StepStatus>(var to)) {
      var moved = new ArrayList<>(steps);
      moved.set(event.step(), step.as(to));
      return moved;
    }
    return steps;
  }
}
