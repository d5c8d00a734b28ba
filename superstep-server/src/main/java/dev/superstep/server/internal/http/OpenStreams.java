package dev.superstep.server.internal.http;

import dev.superstep.server.log.ServerListener;
import java.util.concurrent.ConcurrentHashMap;

/// Counts the open streams of each principal. Safe for many threads.
final class OpenStreams {
  private final int most;
  private final ServerListener listener;
  private final ConcurrentHashMap<String, Integer> counts = new ConcurrentHashMap<>();

  OpenStreams(int most, ServerListener listener) {
    this.most = most;
    this.listener = listener;
  }

  /// A stream that is open.
  interface Place extends AutoCloseable {
    @Override
    void close();
  }

  /// Takes a place.
  ///
  /// @throws HttpFailure 429 if the principal has as many as it may
  Place take(String principal) {
    int now = counts.merge(principal, 1, Integer::sum);
    if (now > most) {
      leave(principal);
      throw new HttpFailure(
          429, "More than %,d streams are open; close some of them first.".formatted(most));
    }
    listener.streams(1);
    return () -> {
      leave(principal);
      listener.streams(-1);
    };
  }

  private void leave(String principal) {
    counts.computeIfPresent(principal, (_, count) -> count == 1 ? null : count - 1);
  }
}
