package dev.superstep.tool;

/// What happens when a model calls a tool with arguments that break its schema.
public enum OnBadArguments {
  /// The model is told what is wrong, and may try again.
  RETURN_ERROR,
  /// What small models do wrong and can be undone without a guess is undone: arguments in a wrapper
  /// or a code fence. If that does not help, the model is told.
  NORMALIZE,
  /// The call fails with a [ToolError.Deserialize].
  FAIL
}
