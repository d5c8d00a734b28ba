package dev.superstep.tool;

/// A progress report of a tool call.
///
/// @param call the id that the model gave the call
public record ToolPiece(String call, String tool, String text) {}
