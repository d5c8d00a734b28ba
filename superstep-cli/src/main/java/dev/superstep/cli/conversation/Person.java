package dev.superstep.cli.conversation;

import dev.superstep.cli.screen.ApprovalAnswer;
import dev.superstep.cli.screen.ApprovalView;
import dev.superstep.terminal.PlanDecision;
import dev.superstep.terminal.Recovery;
import dev.superstep.terminal.Waiting;
import java.util.Optional;
import java.util.Set;

/// Whoever answers what a conversation waits for. An empty answer means that nobody does now.
interface Person {
  /// Answers to a plan.
  Optional<PlanDecision> plan(Waiting.ForPlan asked);

  /// Answers whether a step may begin.
  Optional<Recovery> step(Waiting.ForStep asked);

  /// Answers to a command.
  Optional<ApprovalAnswer> command(ApprovalView view);

  /// Answers a question of a model.
  Optional<String> answer(Waiting.ForAnswer asked);

  /// Answers what to do after a failure.
  Optional<Recovery> recover(String what, Set<Recovery> choices);

  /// Answers a question by yes or no.
  boolean agrees(String question);

  /// Nobody is there: plans are taken as they are, since each command is decided on by itself.
  static Person nobody() {
    return new Person() {
      @Override
      public Optional<PlanDecision> plan(Waiting.ForPlan asked) {
        return Optional.of(new PlanDecision.Accept());
      }

      @Override
      public Optional<Recovery> step(Waiting.ForStep asked) {
        return Optional.of(Recovery.CONTINUE);
      }

      @Override
      public Optional<ApprovalAnswer> command(ApprovalView view) {
        return Optional.empty();
      }

      @Override
      public Optional<String> answer(Waiting.ForAnswer asked) {
        return Optional.empty();
      }

      @Override
      public Optional<Recovery> recover(String what, Set<Recovery> choices) {
        return Optional.empty();
      }

      @Override
      public boolean agrees(String question) {
        return false;
      }
    };
  }
}
