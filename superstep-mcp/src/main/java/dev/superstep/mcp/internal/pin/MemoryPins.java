package dev.superstep.mcp.internal.pin;

import dev.superstep.json.Json;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/// Approved tools in memory.
public final class MemoryPins implements PinStore {
  private final Map<String, Map<String, Json>> byServer = new ConcurrentHashMap<>();

  @Override
  public boolean knows(String server) {
    return byServer.containsKey(server);
  }

  @Override
  public Optional<Json> approved(String server, String tool) {
    return Optional.ofNullable(byServer.getOrDefault(server, Map.of()).get(tool));
  }

  @Override
  public Map<String, Json> all(String server) {
    return new TreeMap<>(byServer.getOrDefault(server, Map.of()));
  }

  @Override
  public void approve(String server, String tool, Json definition) {
    byServer.computeIfAbsent(server, _ -> new ConcurrentHashMap<>()).put(tool, definition);
  }
}
