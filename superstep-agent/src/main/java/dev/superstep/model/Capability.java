package dev.superstep.model;

/// Something that a model can do and not every model can.
public enum Capability {
  /// Asks for tools by itself, in the vendor's own form.
  TOOLS,
  /// Asks for several tools in one reply.
  PARALLEL_TOOLS,
  /// Is held to a JSON Schema by its vendor.
  STRUCTURED_OUTPUT,
  /// Reads pictures.
  VISION,
  /// Answers in pieces.
  STREAMING,
  /// Thinks before it speaks.
  REASONING,
  /// Keeps prompts that begin alike.
  PROMPT_CACHE,
  /// Takes instructions apart from the conversation.
  SYSTEM_PROMPT
}
