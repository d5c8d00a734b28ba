package dev.superstep.terminal;

import dev.superstep.budget.Spend;
import dev.superstep.json.Codec;
import dev.superstep.node.Question;
import dev.superstep.sandbox.Tier;
import dev.superstep.state.Channel;
import dev.superstep.terminal.approval.ApprovalRequest;
import dev.superstep.terminal.approval.Decision;
import dev.superstep.terminal.state.ConversationEvent;
import dev.superstep.terminal.state.Progress;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// The channels of a conversation's thread, the questions that are asked on it, and what they hold.
/// All of it is stored: names of channels, questions and components are kept when the code is
/// renamed.
final class WorkflowState {
  static final Codec<ConversationEvent> EVENT = Codec.of(ConversationEvent.class);

  static final Channel<ConversationInfo, ConversationInfo> INFO =
      Channel.latest("info", ConversationInfo.class);

  /// The status of everything, folded from events by the table of transitions.
  static final Channel<Progress, ConversationEvent> PROGRESS =
      Channel.folding("progress", Codec.of(Progress.class), EVENT, Progress.START, Progress::apply);

  static final Channel<List<ConversationEvent>, ConversationEvent> HISTORY =
      Channel.append("history", EVENT);

  static final Channel<List<CommandAttempt>, CommandAttempt> ATTEMPTS =
      Channel.append("attempts", CommandAttempt.class);

  static final Channel<List<Note>, Note> NOTES = Channel.append("notes", Note.class);

  static final Channel<Candidates, Candidates> CANDIDATES =
      Channel.latest("candidates", Candidates.class);

  static final Channel<ApprovalRequest, ApprovalRequest> REQUEST =
      Channel.latest("request", ApprovalRequest.class);

  static final Channel<Approved, Approved> APPROVED = Channel.latest("approved", Approved.class);

  static final Channel<OpenQuestion, OpenQuestion> ASKED =
      Channel.latest("asked", OpenQuestion.class);

  static final Channel<Failure, Failure> FAILURE = Channel.latest("failure", Failure.class);

  static final Channel<Spend, Spend> SPENT =
      Channel.folding("spent", Spend.class, Spend.class, Spend.NONE, Spend::plus);

  static final Channel<String, String> SECRET = Channel.latest("secret", String.class);

  static final Question<PlanQuestion, PlanDecision> PLAN =
      Question.of("plan", Codec.of(PlanQuestion.class), Codec.of(PlanDecision.class));

  static final Question<StepQuestion, Recovery> NEXT_STEP =
      Question.of("next-step", StepQuestion.class, Recovery.class);

  static final Question<ApprovalRequest, Decision> COMMAND =
      Question.of("command", Codec.of(ApprovalRequest.class), Codec.of(Decision.class))
          .asApproval();

  static final Question<OpenQuestion, String> CLARIFY =
      Question.of("clarify", OpenQuestion.class, String.class);

  static final Question<RecoveryQuestion, Recovery> RECOVER =
      Question.of("recover", RecoveryQuestion.class, Recovery.class);

  static final Question<Failure, Recovery> RETRY =
      Question.of("retry", Failure.class, Recovery.class);

  private WorkflowState() {}

  /// A plan that waits.
  record PlanQuestion(List<String> steps, List<String> before) {}

  /// A step that waits to be begun.
  record StepQuestion(int step, String description) {}

  /// What the model asked.
  record OpenQuestion(int step, String question, List<String> options) {}

  /// A command that went wrong.
  record RecoveryQuestion(int step, Optional<CommandAttempt> attempt, Set<Recovery> choices) {}

  /// A model that could not be used.
  ///
  /// @param node that continues when it is tried again
  record Failure(String node, String code, String message) {}

  /// What a person said on the way, for the models.
  ///
  /// @param step to which it belongs, from 0; -1 for the plan
  record Note(int step, String kind, String text) {}

  /// A command that a model proposed.
  record Candidate(String command, String explanation) {}

  /// The commands for what comes next in a step.
  ///
  /// @param index the one that is shown
  /// @param asked how often the model was asked for another
  /// @param isLast whether the step is done when one of these succeeds
  /// @param tier the least tier that a person wants
  /// @param changed what has changed since an approval that did not hold
  record Candidates(
      int step,
      List<Candidate> commands,
      int index,
      int asked,
      boolean isLast,
      Optional<Tier> tier,
      List<String> changed) {
    static Candidates of(int step, List<Candidate> commands, boolean isLast) {
      return new Candidates(step, commands, 0, 0, isLast, Optional.empty(), List.of());
    }

    Candidate shown() {
      return commands.get(index);
    }

    Candidates showing(int other) {
      return new Candidates(step, commands, other, asked, isLast, Optional.empty(), List.of());
    }

    Candidates and(List<Candidate> more) {
      var all = new java.util.ArrayList<>(commands);
      all.addAll(more);
      return new Candidates(step, all, commands.size(), asked + 1, isLast, tier, List.of());
    }

    /// Returns a copy whose shown command has this text.
    Candidates edited(String text) {
      var all = new java.util.ArrayList<>(commands);
      all.set(index, new Candidate(text, ""));
      return new Candidates(step, all, index, asked, isLast, tier, List.of());
    }

    Candidates in(Tier stricter) {
      var wanted = Optional.of(stricter);
      return new Candidates(step, commands, index, asked, isLast, wanted, List.of());
    }

    Candidates noting(List<String> notes) {
      return new Candidates(step, commands, index, asked, isLast, tier, notes);
    }
  }

  /// An approval that the command at hand was given.
  record Approved(String grant, String by) {}
}
