package dev.superstep.cli.host;

import dev.superstep.json.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/// The MCP servers that the `superstep.toml` of a folder names, unread: the folder may be a
/// stranger's. Immutable.
///
/// @param tables by the names of the servers
public record McpTables(Path file, Map<String, Json> tables) {
  static final String KEY = "mcp";

  public McpTables {
    tables = Collections.unmodifiableMap(new LinkedHashMap<>(tables));
  }

  /// Reads the file of a folder, if it has one.
  ///
  /// @throws UsageError that says what is wrong with it
  public static Optional<McpTables> of(Path folder) {
    var file = folder.resolve(FolderConfig.FILE);
    if (!Files.exists(file)) return Optional.empty();
    var tables = FolderConfig.open(folder).toml().tables(KEY);
    return tables.isEmpty() ? Optional.empty() : Optional.of(new McpTables(file, tables));
  }

  /// Reads a file with servers that a folder brings along, if it is there.
  ///
  /// @throws UsageError if it cannot be read, is too large, or is a link that leaves the folder
  public static Optional<String> text(Path folder, String name, int bytesMax) {
    var file = folder.resolve(name);
    if (!Files.exists(file)) return Optional.empty();
    if (!FolderConfig.real(file).startsWith(FolderConfig.real(folder))) {
      throw new UsageError(
          "config.outside", file + " is a link that leaves the folder. Put the file itself there.");
    }
    return Optional.of(TextFile.read(file, bytesMax, "config"));
  }
}
