package dev.superstep.mcp.config;

import java.util.ArrayList;
import java.util.List;

/// The servers of an `.mcp.json`, as many tools write it. Reading it starts and reaches nothing.
/// Immutable.
///
/// ```java
/// var file = folder.resolve(".mcp.json");
/// for (var entry : McpFile.read(Files.readString(file)).entries()) {
///   if (trust.isConfirmed(file, entry)) servers.add(entry.server(folder, System::getenv));
/// }
/// ```
///
/// @param entries those that can be used
/// @param unusable why others cannot
public record McpFile(List<McpEntry> entries, List<InvalidMcpEntry> unusable) {
  /// The usual name of such a file.
  public static final String NAME = ".mcp.json";

  /// The most bytes of such a file.
  public static final int BYTES_MAX = 256_000;

  private static final int ENTRIES_MAX = 100;

  public McpFile {
    entries = List.copyOf(entries);
    unusable = List.copyOf(unusable);
  }

  /// Reads the text of a file.
  ///
  /// @throws InvalidMcpEntry if it is no file of servers
  public static McpFile read(String text) {
    if (text.length() > BYTES_MAX) {
      throw new InvalidMcpEntry(NAME, "it has more than " + BYTES_MAX + " characters.");
    }
    var servers = EntryReader.tree(NAME, text).path("mcpServers");
    if (!servers.isObject()) {
      throw new InvalidMcpEntry(NAME, "it is no JSON object with an object `mcpServers`.");
    }
    if (servers.size() > ENTRIES_MAX) {
      throw new InvalidMcpEntry(NAME, "it has more than " + ENTRIES_MAX + " servers.");
    }
    var entries = new ArrayList<McpEntry>();
    var unusable = new ArrayList<InvalidMcpEntry>();
    for (var one : servers.properties()) {
      try {
        entries.add(new EntryReader(one.getKey(), one.getValue()).foreign());
      } catch (InvalidMcpEntry e) {
        unusable.add(e);
      }
    }
    return new McpFile(entries, unusable);
  }
}
