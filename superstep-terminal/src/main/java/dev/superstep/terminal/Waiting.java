package dev.superstep.terminal;

import dev.superstep.terminal.approval.ApprovalRequest;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// The answer that a conversation waits for. Read from the open question of its thread.
public sealed interface Waiting {
  /// Nothing was asked: a run is at work, was stopped, or is at its end.
  record Nothing() implements Waiting {}

  /// A plan waits to be accepted: [TerminalConversation#decide(PlanDecision)].
  ///
  /// @param steps as they are now
  /// @param before the steps before the model made another plan; empty the first time
  /// @param warnings about words that may lead astray
  record ForPlan(List<String> steps, List<String> before, List<String> warnings)
      implements Waiting {
    public ForPlan {
      warnings = List.copyOf(warnings);
      steps = List.copyOf(steps);
      before = List.copyOf(before);
    }
  }

  /// A step waits to be begun: [TerminalConversation#recover].
  ///
  /// @param step its place, from 0
  record ForStep(int step, String description) implements Waiting {}

  /// A command waits for a decision: [TerminalConversation#decide(Decision)],
  /// [TerminalConversation#approve].
  record ForCommand(ApprovalRequest request) implements Waiting {}

  /// The model needs to know something: [TerminalConversation#answer].
  ///
  /// @param options answers that it offers; others are possible
  /// @param warnings about words that may lead astray
  record ForAnswer(int step, String question, List<String> options, List<String> warnings)
      implements Waiting {
    public ForAnswer {
      warnings = List.copyOf(warnings);
      options = List.copyOf(options);
    }
  }

  /// A command failed, was refused or was interrupted: [TerminalConversation#recover].
  ///
  /// @param attempt what was tried
  /// @param choices what can be answered
  record ForRecovery(int step, Optional<CommandAttempt> attempt, Set<Recovery> choices)
      implements Waiting {
    public ForRecovery {
      choices = Set.copyOf(choices);
    }
  }

  /// A model could not be used: [TerminalConversation#recover].
  ///
  /// @param code of the error, such as `terminal.plan.timeout`
  record ForRetry(String code, String message) implements Waiting {}
}
