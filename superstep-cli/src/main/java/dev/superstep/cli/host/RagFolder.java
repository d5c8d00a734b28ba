package dev.superstep.cli.host;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Graphs as text that can be run: a `.rag` file, and what the `superstep.toml` beside it says of
/// the things that it names. Immutable.
///
/// @param root the folder's real path
/// @param file the `.rag` file
/// @param place what a thread keeps of it, to be opened again: the file, or the folder
/// @param graph the graph to run, if the file has several
/// @param input what the graph works on, unless the user names something else
/// @param model the URL of the model for all names, where `models` is empty
/// @param models the URLs of models by the names that the text uses; as written
/// @param prompts the files of prompts by the names that the text uses
/// @param limits what a run may spend, beside the limits of the text
public record RagFolder(
    Path root,
    Path file,
    Path place,
    Optional<String> graph,
    Optional<Path> input,
    Optional<String> model,
    Map<String, String> models,
    Map<String, Path> prompts,
    Optional<ToolRoot> tools,
    Map<String, BigDecimal> limits,
    Optional<ComponentClass> components) {
  private static final String ENDING = ".rag";
  private static final List<String> TABLES =
      List.of("graph", "models", "prompts", "tools", "limits", "components");

  public RagFolder {
    models = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(models));
    prompts = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(prompts));
    limits = Map.copyOf(limits);
  }

  /// The folder in which the built-in tools work.
  ///
  /// @param isWritten whether they may write there
  public record ToolRoot(Path root, boolean isWritten) {}

  /// A class in Java that registers more.
  ///
  /// @param classes folders and jars
  public record ComponentClass(String name, List<Path> classes) {}

  /// Finds the text that a path means; empty if it means a program in Java, or nothing.
  ///
  /// @throws UsageError that says what is wrong with the configuration
  public static Optional<RagFolder> find(Path path) {
    boolean isFile = !Files.isDirectory(path) && path.toString().endsWith(ENDING);
    if (isFile) return Optional.of(ofFile(path));
    if (!Files.isDirectory(path)) return Optional.empty();
    if (!Files.exists(path.resolve(FolderConfig.FILE))) {
      var texts = texts(path);
      return texts.isEmpty() ? Optional.empty() : Optional.of(alone(only(path, texts)));
    }
    var config = FolderConfig.open(path);
    if (!isText(config) && (config.toml().has("program") || texts(config.root()).isEmpty())) {
      return Optional.empty();
    }
    return Optional.of(new Reading(config).read(Optional.empty()));
  }

  private static RagFolder ofFile(Path file) {
    var folder = file.toAbsolutePath().getParent();
    if (folder == null || !Files.exists(folder.resolve(FolderConfig.FILE))) return alone(file);
    var config = FolderConfig.open(folder);
    if (config.toml().has("program")) return alone(file);
    return new Reading(config).read(Optional.of(file));
  }

  /// A file with nothing beside it.
  private static RagFolder alone(Path file) {
    var folder = file.toAbsolutePath().getParent();
    return new RagFolder(
        folder == null ? file : folder,
        file,
        file,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Map.of(),
        Map.of(),
        Optional.empty(),
        Map.of(),
        Optional.empty());
  }

  /// Returns true if the text names things of which nothing here says what they are.
  public boolean isAlone() {
    return models.isEmpty() && prompts.isEmpty() && tools.isEmpty() && components.isEmpty();
  }

  private static boolean isText(FolderConfig config) {
    boolean isText = TABLES.stream().anyMatch(config.toml()::has);
    if (isText && config.toml().has("program")) {
      var table = TABLES.stream().filter(config.toml()::has).findFirst().orElseThrow();
      throw config.toml().wrong(List.of(table), "cannot stand beside [program]");
    }
    return isText;
  }

  private static List<Path> texts(Path folder) {
    try (var files = Files.list(folder)) {
      return files
          .filter(file -> file.toString().endsWith(ENDING) && Files.isRegularFile(file))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UsageError(
          "program.unreadable", "Folder " + folder + " cannot be listed" + TextFile.why(e), e);
    }
  }

  private static Path only(Path folder, List<Path> texts) {
    if (texts.size() == 1) return texts.getFirst();
    var names = texts.stream().map(file -> String.valueOf(file.getFileName())).toList();
    throw new UsageError(
        "rag.several-files",
        "Folder %s has several texts: %s. Name one of the files, or one in %s by `[graph] file`."
            .formatted(folder, String.join(", ", names), FolderConfig.FILE));
  }

  /// A reader of one configuration.
  private record Reading(FolderConfig config) {
    RagFolder read(Optional<Path> named) {
      var folder = unchecked(named);
      var written = folder.tools().filter(ToolRoot::isWritten).map(ToolRoot::root);
      // Who writes the text, or what it names, decides what the next run does.
      if (written.filter(root -> isNamed(folder, root)).isPresent()) {
        throw config
            .toml()
            .wrong(
                List.of("tools", "root"),
                "holds files that decide what runs, so tools must not write there");
      }
      return folder;
    }

    private static boolean isNamed(RagFolder folder, Path written) {
      var files = new ArrayList<>(folder.prompts().values());
      files.add(folder.file());
      folder.components().ifPresent(code -> files.addAll(code.classes()));
      for (var url : folder.models().values()) {
        var path = url.substring(Math.max(0, url.indexOf("://") + 3));
        FolderPath.inside(folder.root(), path).ifPresent(files::add);
      }
      return files.stream()
          .filter(Files::exists)
          .anyMatch(file -> FolderConfig.real(file).startsWith(written));
    }

    private RagFolder unchecked(Optional<Path> named) {
      var toml = config.toml();
      var root = config.root();
      return new RagFolder(
          root,
          named.or(() -> config.path("graph", "file")).orElseGet(this::onlyFile),
          named.orElse(root),
          toml.string("graph", "name"),
          config.path("graph", "input"),
          toml.string("model"),
          models(),
          prompts(),
          tools(),
          limits(),
          components());
    }

    private Path onlyFile() {
      var texts = texts(config.root());
      if (texts.isEmpty()) {
        throw new UsageError(
            "config.broken",
            "Folder "
                + config.root()
                + " has no .rag file. Add one, or name it by `[graph] file`.");
      }
      var only = only(config.root(), texts);
      return config.inside(List.of("graph"), String.valueOf(only.getFileName()));
    }

    private Map<String, String> models() {
      var models = new LinkedHashMap<String, String>();
      for (var name : config.toml().keys("models")) {
        var url = config.toml().string("models", name).orElse("");
        int from = url.indexOf("://");
        if (url.indexOf('@', Math.max(0, from)) >= 0 && url.startsWith("http", from + 3)) {
          throw config
              .toml()
              .wrong(
                  List.of("models", name),
                  "must not hold a secret; keys come from the environment");
        }
        models.put(name, url);
      }
      return models;
    }

    private Map<String, Path> prompts() {
      var prompts = new LinkedHashMap<String, Path>();
      for (var name : config.toml().keys("prompts")) {
        config.path("prompts", name).ifPresent(file -> prompts.put(name, file));
      }
      return prompts;
    }

    private Optional<ToolRoot> tools() {
      if (!config.toml().has("tools")) return Optional.empty();
      var keys = List.of("tools", "root");
      var root =
          config
              .path("tools", "root")
              .orElseThrow(() -> config.toml().wrong(List.of("tools"), "needs a `root`"));
      if (!Files.isDirectory(root)) throw config.toml().wrong(keys, "is no folder");
      boolean isWritten = config.toml().flag("tools", "write");
      if (isWritten && config.root().startsWith(root)) {
        throw config
            .toml()
            .wrong(keys, "must be a folder inside this one, since tools write there");
      }
      return Optional.of(new ToolRoot(FolderConfig.real(root), isWritten));
    }

    private Map<String, BigDecimal> limits() {
      var limits = new LinkedHashMap<String, BigDecimal>();
      for (var key : config.toml().keys("limits")) {
        limits.put(key, config.toml().number("limits", key));
      }
      return limits;
    }

    private Optional<ComponentClass> components() {
      if (!config.toml().has("components")) return Optional.empty();
      var name =
          config
              .toml()
              .string("components", "class")
              .orElseThrow(() -> config.toml().wrong(List.of("components"), "needs a `class`"));
      var named = config.toml().strings("components", "classes");
      var found = new ArrayList<Path>();
      for (var entry : named.isEmpty() ? ProgramFolder.CLASSES : named) {
        var path = config.inside(List.of("components", "classes"), entry);
        if (Files.exists(path)) found.add(path);
      }
      if (!found.isEmpty()) return Optional.of(new ComponentClass(name, found));
      throw new UsageError(
          "program.not-built",
          "Folder %s has no compiled classes in %s. Build it first."
              .formatted(
                  config.root(),
                  String.join(" or ", named.isEmpty() ? ProgramFolder.CLASSES : named)));
    }
  }
}
