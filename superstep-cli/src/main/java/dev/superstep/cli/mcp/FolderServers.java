package dev.superstep.cli.mcp;

import dev.superstep.cli.host.Host;
import dev.superstep.cli.host.McpTables;
import dev.superstep.cli.host.SafeText;
import dev.superstep.cli.host.UsageError;
import dev.superstep.cli.host.UserConfig;
import dev.superstep.json.Json;
import dev.superstep.mcp.config.InvalidMcpEntry;
import dev.superstep.mcp.config.McpEntry;
import dev.superstep.mcp.config.McpFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The MCP servers for a folder: those of the user, of its `superstep.toml` and of its `.mcp.json`.
/// Of two with one name, the first counts in this order. Reading them starts and reaches nothing.
/// Immutable.
///
/// @param root the real path of the folder
/// @param unusable sentences about servers that cannot be used as they are written
record FolderServers(Path root, List<FolderServer> servers, List<String> unusable) {
  FolderServers {
    servers = List.copyOf(servers);
    unusable = List.copyOf(unusable);
  }

  /// Reads what names servers.
  ///
  /// @throws UsageError if a file cannot be read, or is wrong
  static FolderServers of(Host host, Path folder) {
    if (!Files.isDirectory(folder)) {
      throw new UsageError(
          "program.missing-folder", "There is no folder " + folder + ". Check the path.");
    }
    var user = UserConfig.of(host);
    return new Reading(new ArrayList<>(), new ArrayList<>())
        .read(folder, new McpTables(user.file(), user.mcp()));
  }

  /// Those that count.
  List<FolderServer> used() {
    return servers.stream().filter(FolderServer::isUsed).toList();
  }

  /// Those that may have one of these tools.
  List<FolderServer> having(Set<String> tools) {
    return used().stream().filter(one -> tools.stream().anyMatch(one::mayHave)).toList();
  }

  /// A server by its name.
  ///
  /// @throws UsageError if no such server counts
  FolderServer named(String name) {
    return used().stream()
        .filter(one -> one.name().equals(name))
        .findFirst()
        .orElseThrow(() ->
            new UsageError(
                "mcp.unknown-server",
                "Folder %s has no MCP server `%s`. It has: %s."
                    .formatted(root, SafeText.line(name), names())));
  }

  private String names() {
    var names = used().stream().map(FolderServer::name).toList();
    return names.isEmpty() ? "none" : String.join(", ", names);
  }

  private record Reading(List<FolderServer> servers, List<String> unusable) {
    FolderServers read(Path folder, McpTables user) {
      add(user.file(), user.tables(), FolderServer.Owner.USER);
      var own = McpTables.of(folder);
      own.ifPresent(tables -> add(tables.file(), tables.tables(), FolderServer.Owner.FOLDER));
      var text = McpTables.text(folder, McpFile.NAME, McpFile.BYTES_MAX);
      text.ifPresent(told -> {
        var file = folder.resolve(McpFile.NAME);
        var read = foreign(file, told);
        for (var one : read.entries()) add(one, file, FolderServer.Owner.FOLDER);
        read.unusable().forEach(why -> unusable.add(file + ": " + why.getMessage()));
      });
      return new FolderServers(real(folder), servers, unusable);
    }

    private static McpFile foreign(Path file, String text) {
      try {
        return McpFile.read(text);
      } catch (InvalidMcpEntry e) {
        throw new UsageError("config.broken", file + ": " + e.getMessage(), e);
      }
    }

    private void add(Path file, Map<String, Json> tables, FolderServer.Owner owner) {
      tables.forEach((name, table) -> {
        try {
          add(McpEntry.of(name, table), file, owner);
        } catch (InvalidMcpEntry e) {
          throw new UsageError("config.broken", file + ": " + e.getMessage(), e);
        }
      });
    }

    private void add(McpEntry entry, Path file, FolderServer.Owner owner) {
      var one = new FolderServer(entry, file, owner, false);
      boolean isHidden =
          servers.stream()
              .filter(FolderServer::isUsed)
              .anyMatch(other -> other.prefix().equals(one.prefix()));
      servers.add(new FolderServer(entry, file, owner, isHidden));
    }

    private static Path real(Path folder) {
      try {
        return folder.toRealPath();
      } catch (java.io.IOException e) {
        throw new java.io.UncheckedIOException(folder + " cannot be followed", e);
      }
    }
  }
}
