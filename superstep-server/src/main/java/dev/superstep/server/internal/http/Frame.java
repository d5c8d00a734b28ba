package dev.superstep.server.internal.http;

/// An event of a stream of server-sent events. Immutable.
///
/// @param id its place in the stream, or empty for one without
/// @param event its name, or empty for a change of the place alone
/// @param data JSON in one line
public record Frame(String id, String event, String data) {}
