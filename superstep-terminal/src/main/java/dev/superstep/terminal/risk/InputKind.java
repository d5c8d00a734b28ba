package dev.superstep.terminal.risk;

/// The kinds of what a person types.
public enum InputKind {
  /// A command for the shell.
  SHELL,
  /// A sentence for the workflow.
  PROMPT,
  /// Rules do not tell; a model may.
  AMBIGUOUS
}
