package dev.superstep.tool;

/// The reaction to a tool call whose arguments break the schema.
public enum OnBadArguments {
  /// The model gets the problems, and may try again.
  RETURN_ERROR,
  /// Repairs the usual mistakes of small models that need no guess: arguments in a wrapper or a
  /// code fence. If that does not help, the model gets an error.
  NORMALIZE,
  /// The call fails with a [ToolError.Deserialize].
  FAIL
}
