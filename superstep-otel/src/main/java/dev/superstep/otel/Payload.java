package dev.superstep.otel;

/// Something that programs, models and people say or write, and that a program may choose to have
/// on its spans.
public enum Payload {
  /// Replies of models, as the pieces in which they arrive.
  ANSWERS,
  /// Arguments of tasks, such as those of a tool call. Needs [dev.superstep.event.Detail#TASKS].
  ARGUMENTS,
  /// Writes of tasks, such as the result of a tool. Needs [dev.superstep.event.Detail#UPDATES].
  WRITES,
  /// Questions to people, and their answers.
  QUESTIONS,
  /// The messages of errors.
  ERRORS
}
