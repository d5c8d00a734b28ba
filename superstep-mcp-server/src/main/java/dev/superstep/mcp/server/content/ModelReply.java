package dev.superstep.mcp.server.content;

/// The answer of the model of a client. Immutable.
///
/// @param text of the answer; other content is left out
/// @param model its name, as the client says it; may be empty
/// @param stopReason why it ended, as the client says it; may be empty
public record ModelReply(String text, String model, String stopReason) {}
