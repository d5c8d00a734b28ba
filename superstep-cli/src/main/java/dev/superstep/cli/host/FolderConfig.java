package dev.superstep.cli.host;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The `superstep.toml` of a folder. It comes with the folder, perhaps from a stranger, so every
/// path in it stays inside the folder, links followed. Immutable.
final class FolderConfig {
  static final String FILE = "superstep.toml";

  /// Keys of programs in Java, and of graphs as text.
  private static final Map<String, Set<String>> KEYS =
      Map.of(
          "", Set.of("model"),
          "program", Set.of("class", "classes", "input", "replies"),
          "recording", Set.of("replies", "input"),
          "graph", Set.of("file", "name", "input"),
          "models", TomlFile.ANY,
          "prompts", TomlFile.ANY,
          "tools", Set.of("root", "write"),
          "limits", Set.of("model_calls", "tool_calls", "tokens", "cost", "depth", "tasks"),
          "components", Set.of("class", "classes"),
          "mcp", TomlFile.TABLES);

  private final Path root;
  private final TomlFile toml;

  private FolderConfig(Path root, TomlFile toml) {
    this.root = root;
    this.toml = toml;
  }

  /// Reads the file of a folder that has one.
  ///
  /// @throws UsageError that says what is wrong
  static FolderConfig open(Path folder) {
    var file = folder.resolve(FILE);
    var root = real(folder);
    if (!real(file).startsWith(root)) {
      throw new UsageError(
          "config.outside", file + " is a link that leaves the folder. Put the file itself there.");
    }
    return new FolderConfig(root, TomlFile.read(file, KEYS));
  }

  /// The folder without links.
  static Path real(Path path) {
    try {
      return path.toRealPath();
    } catch (IOException e) {
      throw new UsageError(
          "program.unreadable", "Path " + path + " cannot be followed" + TextFile.why(e) + ".", e);
    }
  }

  Path root() {
    return root;
  }

  TomlFile toml() {
    return toml;
  }

  /// Returns a path, if the key is present.
  Optional<Path> path(String table, String key) {
    return toml.string(table, key).map(text -> inside(List.of(table, key), text));
  }

  /// Returns a path as the file writes it.
  ///
  /// @throws UsageError if it leaves the folder
  Path inside(List<String> keys, String text) {
    return FolderPath.inside(root, text)
        .orElseThrow(() -> toml.wrong(keys, "must stay inside the folder, was `" + text + "`"));
  }
}
