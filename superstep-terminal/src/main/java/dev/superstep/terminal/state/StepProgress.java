package dev.superstep.terminal.state;

/// A step of a plan, and how far it is.
///
/// @param description what it does, in words
public record StepProgress(String description, StepStatus status) {
  StepProgress as(StepStatus other) {
    return new StepProgress(description, other);
  }
}
