package dev.superstep.server.extension;

import java.time.Duration;
import java.util.Optional;

/// An event of a stream of server-sent events. Immutable.
///
/// @param id its place in the stream, or empty for one without
/// @param name its name, or empty for one without
/// @param data JSON in one line; may be empty
/// @param retry after which the client should come again if the stream ends, if it is told
public record ServerEvent(String id, String name, String data, Optional<Duration> retry) {
  /// An event that does not say when to come again.
  public ServerEvent(String id, String name, String data) {
    this(id, name, data, Optional.empty());
  }
}
