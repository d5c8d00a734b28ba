package dev.superstep.catalog;

/// What a model may be able to do.
public enum Capability {
  /// Calls tools.
  TOOLS,
  /// Calls several tools in one reply.
  PARALLEL_TOOLS,
  /// Holds its reply to a JSON schema.
  STRUCTURED_OUTPUT,
  /// Takes images.
  VISION,
  /// Gives its reply piece by piece.
  STREAMING,
  /// Thinks before it replies, and counts that as output.
  REASONING,
  /// Reads a prompt that it has seen before from a cache.
  PROMPT_CACHE,
  /// Takes instructions apart from what the user says.
  SYSTEM_PROMPT
}
