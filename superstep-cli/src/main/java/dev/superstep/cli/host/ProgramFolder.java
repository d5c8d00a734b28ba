package dev.superstep.cli.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// A folder with a program, as its `superstep.toml` describes it. The file comes with the program,
/// perhaps from a stranger, so every path in it stays inside the folder, links followed. Immutable.
///
/// @param root the folder's real path
/// @param classes folders and jars with the program's classes; at least one
/// @param input what the program works on, unless the user names something else
/// @param model the URL of the model that the program would like
public record ProgramFolder(
    Path root,
    String programClass,
    List<Path> classes,
    Optional<Path> input,
    Optional<Recorded> recording,
    Optional<String> model) {
  public static final String FILE = "superstep.toml";
  private static final List<String> CLASSES = List.of("target/dev/classes", "target/classes");
  private static final Map<String, Set<String>> KEYS =
      Map.of(
          "", Set.of("model"),
          "program", Set.of("class", "classes", "input"),
          "recording", Set.of("replies", "input"));

  /// Replies that a model gave earlier, and the only input that they fit.
  public record Recorded(Path replies, Path input) {}

  /// Reads the description.
  ///
  /// @throws UsageError that says what is wrong
  public static ProgramFolder open(Path folder) {
    if (!Files.isDirectory(folder)) {
      throw new UsageError(
          "program.missing-folder", "There is no program folder " + folder + ". Check the path.");
    }
    var file = folder.resolve(FILE);
    if (!Files.exists(file)) {
      throw new UsageError(
          "program.missing-config",
          "Folder " + folder + " has no " + FILE + ", so it holds no program.");
    }
    var root = real(folder);
    if (!real(file).startsWith(root)) {
      throw new UsageError(
          "config.outside", file + " is a link that leaves the folder. Put the file itself there.");
    }
    return new Reading(root, TomlFile.read(file, KEYS)).read();
  }

  private static Path real(Path path) {
    try {
      return path.toRealPath();
    } catch (IOException e) {
      throw new UsageError(
          "program.unreadable", "Path " + path + " cannot be followed: " + e.getMessage() + ".", e);
    }
  }

  /// A reader of one description.
  private record Reading(Path root, TomlFile toml) {
    ProgramFolder read() {
      var name =
          toml.string("program", "class")
              .orElseThrow(() ->
                  new UsageError(
                      "config.broken",
                      root.resolve(FILE) + " names no program. Add `[program] class = \"…\"`."));
      return new ProgramFolder(
          root, name, classes(), path("program", "input"), recording(), toml.string("model"));
    }

    private List<Path> classes() {
      var keys = List.of("program", "classes");
      var named = toml.strings("program", "classes");
      var all = named.isEmpty() ? CLASSES : named;
      var found = new ArrayList<Path>();
      for (var entry : all) {
        var path = inside(keys, entry);
        if (Files.exists(path)) found.add(path);
      }
      if (!found.isEmpty()) return found;
      throw new UsageError(
          "program.not-built",
          "Folder %s has no compiled classes in %s. Build it first."
              .formatted(root, String.join(" or ", all)));
    }

    private Optional<Recorded> recording() {
      var replies = path("recording", "replies");
      var input = path("recording", "input");
      if (replies.isPresent() != input.isPresent()) {
        throw toml.wrong(List.of("recording"), "needs both `replies` and `input`");
      }
      return replies.flatMap(r -> input.map(i -> new Recorded(r, i)));
    }

    private Optional<Path> path(String table, String key) {
      return toml.string(table, key).map(text -> inside(List.of(table, key), text));
    }

    private Path inside(List<String> keys, String text) {
      try {
        var path = root.resolve(text).normalize();
        // What does not exist yet is judged by the part that does.
        var existing = path;
        while (!Files.exists(existing) && existing.getParent() != null) {
          existing = existing.getParent();
        }
        if (path.startsWith(root) && real(existing).startsWith(root)) return path;
        throw toml.wrong(keys, "must stay inside the folder, was `" + text + "`");
      } catch (InvalidPathException e) {
        throw toml.wrong(keys, "is not a path: " + e.getReason());
      }
    }
  }
}
