package dev.superstep.agent.run;

/// The way to ask a model for an answer of a type.
public enum AnswerMode {
  /// By the vendor's own means if the model is known to have them, or has no tools; else by a tool.
  AUTO,
  /// By the vendor's own means.
  NATIVE,
  /// By a tool named `answer`, whose arguments are the answer.
  TOOL
}
