package dev.superstep.model.dialect;

/// The notation in which a model that has no tools of its own writes its calls into its text.
public enum Dialect {
  /// `<tool_call>{"name": "look", "arguments": {"city": "Oslo"}}</tool_call>`: what many open
  /// models were trained on.
  XML,
  /// `<tool_call>look[Oslo|3]</tool_call>`: arguments in the order of the tool's schema, for the
  /// fewest tokens.
  POSITIONAL
}
