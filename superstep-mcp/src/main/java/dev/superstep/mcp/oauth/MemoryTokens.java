package dev.superstep.mcp.oauth;

import dev.superstep.lock.Mutex;
import java.net.URI;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/// Grants in memory.
final class MemoryTokens implements McpTokens {
  private final Map<URI, McpGrant> all = new ConcurrentHashMap<>();
  private final Mutex changing = new Mutex();

  @Override
  public Optional<McpGrant> find(URI server) {
    return Optional.ofNullable(all.get(server));
  }

  @Override
  public Optional<McpGrant> change(URI server, Change change) throws InterruptedException {
    try (var _ = changing.holdInterruptibly()) {
      var next = change.of(find(server));
      if (next.isPresent()) all.put(server, next.get());
      else all.remove(server);
      return next;
    }
  }

  @Override
  public String toString() {
    return "McpTokens[in memory]";
  }
}
