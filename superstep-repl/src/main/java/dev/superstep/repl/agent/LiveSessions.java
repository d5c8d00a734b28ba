package dev.superstep.repl.agent;

import dev.superstep.middleware.AgentContext;
import dev.superstep.node.ContextKey;
import dev.superstep.repl.record.CellRecord;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/// The sessions of a run, in memory, until the run ends or waits. A run that is resumed makes them
/// again. Safe for many threads.
final class LiveSessions implements AutoCloseable {
  private static final ContextKey<LiveSessions> KEY =
      ContextKey.of("repl-sessions", LiveSessions.class);

  private final ConcurrentHashMap<String, LiveSession> byRun = new ConcurrentHashMap<>();

  static LiveSessions of(AgentContext context) {
    return context.node().shared(KEY, LiveSessions::new);
  }

  /// The session of an agent behind these cells.
  LiveSession session(String run, List<CellRecord> before, Supplier<LiveSession> made) {
    var known = byRun.get(run);
    if (known != null && known.isAt(before)) return known;
    var session = made.get();
    var old = byRun.put(run, session);
    if (old != null) old.close();
    session.repeat(before);
    return session;
  }

  @Override
  public void close() {
    byRun.values().forEach(LiveSession::close);
  }
}
