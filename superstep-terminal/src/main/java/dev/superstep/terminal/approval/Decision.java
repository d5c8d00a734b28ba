package dev.superstep.terminal.approval;

import dev.superstep.sandbox.Tier;

/// The answer of a person to a command that waits. Whatever is no [Approve] starts nothing. Stored:
/// names of cases and components are kept when the code is renamed.
public sealed interface Decision {
  /// Runs the command as it was shown, once.
  ///
  /// @param grant the token of the approval: [Approvals#grant]
  record Approve(String grant) implements Decision {}

  /// Changes the command. The new text is parsed, assessed and asked about again.
  record Edit(String command) implements Decision {}

  /// Shows the next alternative, or asks the model for one.
  record Alternative() implements Decision {}

  /// Asks the model to explain the command, and asks again.
  record Explain() implements Decision {}

  /// Passes the step over.
  record Skip() implements Decision {}

  /// Confines the command more strictly, and asks again.
  record Stricter(Tier tier) implements Decision {}

  /// Adds a rule that allows commands like this one; then the rules decide again.
  ///
  /// @param rule as the policy has it
  /// @param scope for what it holds: `session`, `project` or `user`
  record AlwaysAllow(String rule, String scope) implements Decision {}

  /// Denies the command. The model is told why, and proposes another.
  record Deny(String reason) implements Decision {}

  /// Ends the conversation.
  record Abort() implements Decision {}
}
