package dev.superstep.cli.host;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A folder with a program, as its `superstep.toml` describes it. The file comes with the program,
/// perhaps from a stranger, so every path in it stays inside the folder, links followed. Immutable.
///
/// @param root the folder's real path
/// @param classes folders and jars with the program's classes; at least one
/// @param input what the program works on, unless the user names something else
/// @param replies replies written by hand, which answer where there is no model
/// @param model the URL of the model that the program would like
/// @param notices sentences for the user about how its classes came to be
public record ProgramFolder(
    Path root,
    String programClass,
    List<Path> classes,
    Optional<Path> input,
    Optional<Recorded> recording,
    Optional<Path> replies,
    Optional<String> model,
    List<String> notices) {
  public static final String FILE = FolderConfig.FILE;
  static final List<String> CLASSES = List.of("target/dev/classes", "target/classes");

  /// Replies that a model gave earlier, and the only input that they fit.
  public record Recorded(Path replies, Path input) {}

  public ProgramFolder {
    classes = List.copyOf(classes);
    notices = List.copyOf(notices);
  }

  /// Reads the description, and compiles the sources if that is for this command to do: see
  /// [ProgramSources].
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
    return new Reading(FolderConfig.open(folder)).read();
  }

  /// A reader of one description.
  private record Reading(FolderConfig config) {
    ProgramFolder read() {
      var name =
          config
              .toml()
              .string("program", "class")
              .orElseThrow(() ->
                  new UsageError(
                      "config.broken",
                      config.root().resolve(FILE)
                          + " names no program. Add `[program] class = \"…\"`."));
      var built = classes();
      return new ProgramFolder(
          config.root(),
          name,
          built.classes(),
          config.path("program", "input"),
          recording(),
          config.path("program", "replies"),
          config.toml().string("model"),
          built.notices());
    }

    private ProgramSources.Built classes() {
      var named = config.toml().strings("program", "classes");
      if (!named.isEmpty()) return new ProgramSources.Built(existing(named), List.of());
      var sources = ProgramSources.in(config.root());
      if (sources.isEmpty()) return new ProgramSources.Built(existing(CLASSES), List.of());
      return sources.get().built(() -> existing(CLASSES));
    }

    private List<Path> existing(List<String> all) {
      var keys = List.of("program", "classes");
      var found = new ArrayList<Path>();
      for (var entry : all) {
        var path = config.inside(keys, entry);
        if (Files.exists(path)) found.add(path);
      }
      if (!found.isEmpty()) return found;
      throw new UsageError(
          "program.not-built",
          "Folder %s has no compiled classes in %s. Build it first%s."
              .formatted(
                  config.root(), String.join(" or ", all), ProgramPom.advice(config.root())));
    }

    private Optional<Recorded> recording() {
      var replies = config.path("recording", "replies");
      var input = config.path("recording", "input");
      if (replies.isPresent() != input.isPresent()) {
        throw config.toml().wrong(List.of("recording"), "needs both `replies` and `input`");
      }
      return replies.flatMap(r -> input.map(i -> new Recorded(r, i)));
    }
  }
}
