package dev.superstep.terminal;

import java.util.List;

/// The answer of a person to a plan. Stored: names of cases and components are kept when the code
/// is renamed.
public sealed interface PlanDecision {
  /// Begins with the first step.
  record Accept() implements PlanDecision {}

  /// Puts other steps in place of those shown: in another order, with some left out, added or
  /// reworded. The plan is shown again.
  record Edit(List<String> steps) implements PlanDecision {
    public Edit {
      steps = List.copyOf(steps);
    }
  }

  /// Asks the model for another plan, and says why.
  record Replan(String reason) implements PlanDecision {}

  /// Ends the conversation.
  record Abort() implements PlanDecision {}
}
