package dev.superstep.otel;

/// Something that programs, models and people say or write, and that a program may choose to have
/// on its spans.
public enum Payload {
  /// What models answer, as the pieces in which it arrives.
  ANSWERS,
  /// What a task is given, such as a tool call with its arguments. Needs
  /// [dev.superstep.event.Detail#TASKS].
  ARGUMENTS,
  /// What a task writes, such as the result of a tool. Needs [dev.superstep.event.Detail#UPDATES].
  WRITES,
  /// What people are asked, and what they answer.
  QUESTIONS,
  /// The messages of errors.
  ERRORS
}
