package dev.superstep.cli.screen;

/// A person's answer to a command. Immutable.
public sealed interface ApprovalAnswer {
  /// Run exactly this.
  record Approve() implements ApprovalAnswer {}

  /// Ask again about another text.
  record Edit(String script) implements ApprovalAnswer {}

  /// Propose another command.
  record Next() implements ApprovalAnswer {}

  /// Ask the model to explain it, and ask again.
  record Explain() implements ApprovalAnswer {}

  /// Go on with the next step.
  record Skip() implements ApprovalAnswer {}

  /// Ask again about running it in a stricter tier.
  record Stricter() implements ApprovalAnswer {}

  /// Run this, and add the rule that was shown.
  ///
  /// @param scope the key of the scope
  record Always(char scope) implements ApprovalAnswer {}

  /// Do not run this.
  ///
  /// @param reason for the model; may be empty
  record Deny(String reason) implements ApprovalAnswer {}

  /// End the conversation.
  record Abort() implements ApprovalAnswer {}

  /// Nobody decides now.
  record Later() implements ApprovalAnswer {}
}
