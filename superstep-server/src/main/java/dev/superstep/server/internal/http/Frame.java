package dev.superstep.server.internal.http;

/// An event of a stream of server-sent events. Immutable.
///
/// @param id its place in the stream, or empty for one without
/// @param event its name, or empty for a change of the place alone
/// @param data JSON in one line
/// @param retry milliseconds after which a client comes again when the stream ends, or 0; an event
///   that says so is one also without data
public record Frame(String id, String event, String data, long retry) {
  /// An event that says nothing of coming again.
  public Frame(String id, String event, String data) {
    this(id, event, data, 0);
  }
}
