package dev.superstep.mcp.internal.pin;

import dev.superstep.json.Json;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/// Keeps definitions of tools, by servers. Safe for many threads.
public interface PinStore {
  /// A store that cannot be read or written.
  final class Unusable extends RuntimeException {
    private static final long serialVersionUID = 1;

    Unusable(Path file, Exception cause) {
      super(
          "its approved tools in `%s` cannot be read or written. Repair or remove that file."
              .formatted(file),
          cause);
    }
  }

  /// Returns whether it has any tool of the server.
  boolean knows(String server);

  /// The definition of a tool.
  Optional<Json> approved(String server, String tool);

  /// The definitions of all tools of a server.
  Map<String, Json> all(String server);

  /// Sets the definition of a tool.
  void approve(String server, String tool, Json definition);
}
