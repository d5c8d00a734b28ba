package dev.superstep.terminal.state;

import java.util.List;

/// A fact of a conversation, as its history keeps it. Those of a step name it by its place in the
/// plan, from 0. Stored: names of cases and components are kept when the code is renamed.
public sealed interface ConversationEvent {
  /// The kind, by which [TransitionTable] has its rows.
  default Kind kind() {
    return switch (this) {
      case Planned _ -> Kind.PLANNED;
      case PlanningRetried _ -> Kind.PLANNING_RETRIED;
      case PlanEdited _ -> Kind.PLAN_EDITED;
      case PlanRejected _ -> Kind.PLAN_REJECTED;
      case PlanAccepted _ -> Kind.PLAN_ACCEPTED;
      case StepStarted _ -> Kind.STEP_STARTED;
      case CommandSuggested _ -> Kind.COMMAND_SUGGESTED;
      case AlternativeShown _ -> Kind.ALTERNATIVE_SHOWN;
      case CommandEdited _ -> Kind.COMMAND_EDITED;
      case CommandExplained _ -> Kind.COMMAND_EXPLAINED;
      case CommandDenied _ -> Kind.COMMAND_DENIED;
      case CommandRefused _ -> Kind.COMMAND_REFUSED;
      case CommandApproved _ -> Kind.COMMAND_APPROVED;
      case ApprovalExpired _ -> Kind.APPROVAL_EXPIRED;
      case CommandSucceeded _ -> Kind.COMMAND_SUCCEEDED;
      case CommandFailed _ -> Kind.COMMAND_FAILED;
      case CommandInterrupted _ -> Kind.COMMAND_INTERRUPTED;
      case RetryChosen _ -> Kind.RETRY_CHOSEN;
      case QuestionAsked _ -> Kind.QUESTION_ASKED;
      case QuestionAnswered _ -> Kind.QUESTION_ANSWERED;
      case StepCompleted _ -> Kind.STEP_COMPLETED;
      case StepSkipped _ -> Kind.STEP_SKIPPED;
      case Finished _ -> Kind.FINISHED;
      case Failed _ -> Kind.FAILED;
      case Retried _ -> Kind.RETRIED;
      case Paused _ -> Kind.PAUSED;
      case Resumed _ -> Kind.RESUMED;
      case Aborted _ -> Kind.ABORTED;
    };
  }

  /// An event of one step.
  sealed interface OfStep extends ConversationEvent {
    /// The place of the step in the plan, from 0.
    int step();
  }

  /// The kinds of events.
  enum Kind {
    /// See [Planned].
    PLANNED,
    /// See [PlanningRetried].
    PLANNING_RETRIED,
    /// See [PlanEdited].
    PLAN_EDITED,
    /// See [PlanRejected].
    PLAN_REJECTED,
    /// See [PlanAccepted].
    PLAN_ACCEPTED,
    /// See [StepStarted].
    STEP_STARTED,
    /// See [CommandSuggested].
    COMMAND_SUGGESTED,
    /// See [AlternativeShown].
    ALTERNATIVE_SHOWN,
    /// See [CommandEdited].
    COMMAND_EDITED,
    /// See [CommandExplained].
    COMMAND_EXPLAINED,
    /// See [CommandDenied].
    COMMAND_DENIED,
    /// See [CommandRefused].
    COMMAND_REFUSED,
    /// See [CommandApproved].
    COMMAND_APPROVED,
    /// See [ApprovalExpired].
    APPROVAL_EXPIRED,
    /// See [CommandSucceeded].
    COMMAND_SUCCEEDED,
    /// See [CommandFailed].
    COMMAND_FAILED,
    /// See [CommandInterrupted].
    COMMAND_INTERRUPTED,
    /// See [RetryChosen].
    RETRY_CHOSEN,
    /// See [QuestionAsked].
    QUESTION_ASKED,
    /// See [QuestionAnswered].
    QUESTION_ANSWERED,
    /// See [StepCompleted].
    STEP_COMPLETED,
    /// See [StepSkipped].
    STEP_SKIPPED,
    /// See [Finished].
    FINISHED,
    /// See [Failed].
    FAILED,
    /// See [Retried].
    RETRIED,
    /// See [Paused].
    PAUSED,
    /// See [Resumed].
    RESUMED,
    /// See [Aborted].
    ABORTED
  }

  /// A model made a plan.
  ///
  /// @param steps what each step does
  record Planned(List<String> steps) implements ConversationEvent {
    public Planned {
      steps = List.copyOf(steps);
    }
  }

  /// A model did not answer in time, and is asked once more.
  record PlanningRetried(String reason) implements ConversationEvent {}

  /// A person changed the plan.
  ///
  /// @param steps all steps, as they are now
  record PlanEdited(List<String> steps) implements ConversationEvent {
    public PlanEdited {
      steps = List.copyOf(steps);
    }
  }

  /// A person asked for another plan.
  record PlanRejected(String reason) implements ConversationEvent {}

  /// A person accepted the plan, so that its steps may begin.
  record PlanAccepted() implements ConversationEvent {}

  /// A step began.
  record StepStarted(int step) implements OfStep {}

  /// A model proposed a command, or a person asked to run one again.
  record CommandSuggested(int step, String command) implements OfStep {}

  /// A person asked for the next alternative.
  record AlternativeShown(int step, String command) implements OfStep {}

  /// A person changed the command, or the tier that confines it.
  record CommandEdited(int step, String command) implements OfStep {}

  /// A model explained the command.
  record CommandExplained(int step) implements OfStep {}

  /// A person denied the command, and said why; a model then proposes another.
  record CommandDenied(int step, String reason) implements OfStep {}

  /// A rule, or a limit of this machine, refused the command.
  record CommandRefused(int step, String reason) implements OfStep {}

  /// The command may run.
  ///
  /// @param by who approved it: a person or a rule
  /// @param digest of what was approved
  record CommandApproved(int step, String by, String digest) implements OfStep {}

  /// The approval does not hold any more: something has changed, or it is too old. Nothing was
  /// started, and the command is asked about again.
  record ApprovalExpired(int step, List<String> changes) implements OfStep {
    public ApprovalExpired {
      changes = List.copyOf(changes);
    }
  }

  /// The command ended as it should.
  record CommandSucceeded(int step) implements OfStep {}

  /// The command ended in failure.
  record CommandFailed(int step, String error) implements OfStep {}

  /// The process died while the command ran.
  record CommandInterrupted(int step) implements OfStep {}

  /// A person wants another command after a failure.
  record RetryChosen(int step) implements OfStep {}

  /// A model needs to know something before it proposes a command.
  record QuestionAsked(int step, String question) implements OfStep {}

  /// A person answered.
  record QuestionAnswered(int step, String answer) implements OfStep {}

  /// The step is done.
  ///
  /// @param by who said so: the model, or a person after an interruption
  record StepCompleted(int step, String by) implements OfStep {}

  /// A person passed the step over.
  record StepSkipped(int step) implements OfStep {}

  /// Every step is complete or skipped.
  record Finished() implements ConversationEvent {}

  /// A model could not be used.
  ///
  /// @param code of the error, such as `terminal.plan.timeout`
  record Failed(String code, String message) implements ConversationEvent {}

  /// A person lets the conversation go on where it failed.
  record Retried() implements ConversationEvent {}

  /// The run was stopped, or its process died. Never stored: read from where the thread stands.
  record Paused() implements ConversationEvent {}

  /// A run is at work again. Never stored: read from where the thread stands.
  record Resumed() implements ConversationEvent {}

  /// A person ended the conversation. No model is asked any more.
  record Aborted() implements ConversationEvent {}
}
