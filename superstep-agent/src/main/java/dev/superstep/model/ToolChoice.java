package dev.superstep.model;

/// The choice between calling a tool and not.
public sealed interface ToolChoice {
  /// The model decides.
  record Auto() implements ToolChoice {}

  /// It calls none.
  record None() implements ToolChoice {}

  /// It calls at least one.
  record Required() implements ToolChoice {}

  /// It calls this one.
  record Named(String tool) implements ToolChoice {}

  /// The model decides.
  ToolChoice AUTO = new Auto();
}
