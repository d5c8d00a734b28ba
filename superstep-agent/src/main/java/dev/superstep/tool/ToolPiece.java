package dev.superstep.tool;

/// What a tool tells of a call that is under way.
///
/// @param call the id that the model gave the call
public record ToolPiece(String call, String tool, String text) {}
