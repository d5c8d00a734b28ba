package dev.superstep.mcp;

import dev.superstep.json.Json;
import dev.superstep.mcp.internal.pin.MemoryPins;
import dev.superstep.mcp.internal.pin.PinFile;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/// Keeps the tools of servers as they were approved. Safe for many threads.
public interface ToolPins {
  /// Returns whether any tool of the server was approved.
  boolean knows(String server);

  /// The definition of a tool that was approved.
  Optional<Json> approved(String server, String tool);

  /// The definitions of all tools of a server that were approved, by their names; none where these
  /// pins cannot list them.
  default Map<String, Json> all(String server) {
    return Map.of();
  }

  /// Approves a definition in place of an earlier one.
  void approve(String server, String tool, Json definition);

  /// Keeps them as long as the program runs.
  static ToolPins inMemory() {
    return new StoredPins(new MemoryPins());
  }

  /// Keeps them in a file, which other processes may write as well.
  static ToolPins in(Path file) {
    return new StoredPins(new PinFile(file));
  }
}
