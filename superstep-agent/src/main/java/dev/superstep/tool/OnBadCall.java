package dev.superstep.tool;

/// What happens when a model calls an unknown tool, or with arguments that break the schema.
public enum OnBadCall {
  /// The model is told what is wrong, and may try again.
  RETURN_TO_MODEL,
  /// The batch fails with a [BadToolCall] before any call of it runs.
  FAIL
}
