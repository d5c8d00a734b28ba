package dev.superstep.mcp.server.internal.transport;

import dev.superstep.lock.Mutex;
import dev.superstep.mcp.server.internal.call.ClientSession;
import dev.superstep.mcp.server.internal.protocol.Revision;
import dev.superstep.mcp.server.options.McpHostLimits;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A session over HTTP: its client, and the streams by which it hears. Safe for many threads.
public final class HttpSession {
  private static final int STREAMS_MAX = 64;
  private static final long CHARACTERS_MAX = 32L << 20;
  private static final String GENERAL = "g";

  private final ClientSession client;
  private final EventStream general;
  private final Mutex lock = new Mutex();
  private final Map<String, EventStream> streams = new LinkedHashMap<>();
  private long opened;
  private volatile long usedAt = System.nanoTime();

  HttpSession(String id, String principal, McpHostLimits limits) {
    this.general = new EventStream(GENERAL, true);
    this.client = new ClientSession(id, principal, general, limits);
  }

  ClientSession client() {
    return client;
  }

  EventStream general() {
    return general;
  }

  void use() {
    usedAt = System.nanoTime();
  }

  long idleNanos() {
    return general.isRead() || hasOpenStreams() ? 0 : System.nanoTime() - usedAt;
  }

  private boolean hasOpenStreams() {
    try (var _ = lock.hold()) {
      return streams.values().stream().anyMatch(one -> !one.isEnded());
    }
  }

  /// A stream for one request, or null if too many are open.
  @Nullable EventStream open() {
    boolean isPrimed = client.revision().compareTo(Revision.TASKS) >= 0;
    try (var _ = lock.hold()) {
      long sum = 0;
      for (var one : streams.values()) sum += one.characters();
      var all = streams.entrySet().iterator();
      while ((streams.size() >= STREAMS_MAX || sum > CHARACTERS_MAX) && all.hasNext()) {
        var one = all.next().getValue();
        if (!one.isEnded() || one.isRead()) continue;
        sum -= one.characters();
        all.remove();
      }
      if (streams.size() >= STREAMS_MAX) return null;
      var name = "r" + ++opened;
      var stream = new EventStream(name, isPrimed);
      streams.put(name, stream);
      return stream;
    }
  }

  /// The stream with an event, if it is still there.
  ///
  /// @param event its id, which the client heard last
  Optional<Place> find(String event) {
    int dash = event.lastIndexOf('-');
    if (dash < 1 || !event.substring(dash + 1).matches("\\d{1,18}")) return Optional.empty();
    var name = event.substring(0, dash);
    long number = Long.parseLong(event.substring(dash + 1));
    if (name.equals(GENERAL)) return Optional.of(new Place(general, number));
    try (var _ = lock.hold()) {
      return Optional.ofNullable(streams.get(name)).map(found -> new Place(found, number));
    }
  }

  /// A place in a stream.
  record Place(EventStream stream, long number) {}

  void close() {
    client.close();
    general.end();
    try (var _ = lock.hold()) {
      streams.values().forEach(EventStream::end);
    }
  }
}
