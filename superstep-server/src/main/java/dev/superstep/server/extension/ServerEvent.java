package dev.superstep.server.extension;

/// An event of a stream of server-sent events. Immutable.
///
/// @param id its place in the stream, or empty for one without
/// @param name its name, or empty for one without
/// @param data JSON in one line
public record ServerEvent(String id, String name, String data) {}
