package dev.superstep.message;

/// A model's request to run a tool.
///
/// @param id unique within the message; the answer carries it back
/// @param tool the tool's name
/// @param arguments what the model wrote, which may be malformed JSON; validated before any use
public record ToolCall(String id, String tool, String arguments) {}
