package dev.superstep.cli.host;

import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/// The file that says what the cells of `superstep repl` may call. It may come with a folder of a
/// stranger, so every path in it stays inside its folder, links followed. Immutable.
///
/// @param file its real path
/// @param model the name of the model that is asked where a cell names none
/// @param models URLs by the names that cells use; as written
/// @param tools the folder of the built-in tools
/// @param asked tools that are called only after a person has approved, beside those that say so
/// @param limits by their keys
public record AllowFile(
    Path file,
    Optional<String> model,
    Map<String, String> models,
    Optional<RagFolder.ToolRoot> tools,
    List<String> asked,
    Optional<Granted> program,
    Map<String, BigDecimal> limits) {
  /// The keys of its limits.
  public static final Set<String> LIMITS =
      Set.of(
          "model_calls",
          "tool_calls",
          "agent_calls",
          "graph_runs",
          "definitions",
          "depth",
          "concurrency",
          "tokens",
          "operations",
          "memory_mib",
          "cell_seconds");

  /// Those that may be zero.
  private static final Set<String> COUNTS =
      Set.of("model_calls", "tool_calls", "agent_calls", "graph_runs", "definitions", "depth");

  private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_-]{0,63}");
  private static final int LIMIT_MAX = 1_000_000_000;
  private static final int MIB_MAX = 1_024;
  private static final int DEPTH_MAX = 4;

  private static final Map<String, Set<String>> KEYS =
      Map.of(
          "", Set.of("model"),
          "models", TomlFile.ANY,
          "tools", Set.of("root", "write", "ask"),
          "program", Set.of("folder", "tools", "agents", "graphs"),
          "limits", LIMITS);

  public AllowFile {
    models = Collections.unmodifiableMap(new LinkedHashMap<>(models));
    asked = List.copyOf(asked);
    limits = Map.copyOf(limits);
  }

  /// The things of a folder with graphs as text that cells may call, by its names.
  public record Granted(Path folder, List<String> tools, List<String> agents, List<String> graphs) {
    public Granted {
      tools = List.copyOf(tools);
      agents = List.copyOf(agents);
      graphs = List.copyOf(graphs);
    }
  }

  /// Reads the text of a file.
  ///
  /// @throws UsageError that says what is wrong
  public static AllowFile of(Path file, String text) {
    var real = FolderConfig.real(file);
    return new Reading(real, TomlFile.parse(real, text, KEYS)).read();
  }

  /// The folder that it is in.
  public Path folder() {
    var parent = file.getParent();
    return parent == null ? file : parent;
  }

  private record Reading(Path file, TomlFile toml) {
    AllowFile read() {
      var models = models();
      var model = toml.string("model");
      if (model.isPresent() && !models.containsKey(model.get())) {
        throw toml.wrong(List.of("model"), "must be a name of [models]");
      }
      var limits = new LinkedHashMap<String, BigDecimal>();
      for (var key : toml.keys("limits")) limits.put(key, limit(key));
      return new AllowFile(
          file, model, models, tools(), toml.strings("tools", "ask"), program(), limits);
    }

    private BigDecimal limit(String key) {
      var limit = toml.number("limits", key);
      boolean isWhole = limit.stripTrailingZeros().scale() <= 0;
      int least = COUNTS.contains(key) ? 0 : 1;
      int most = key.equals("depth") ? DEPTH_MAX : key.equals("memory_mib") ? MIB_MAX : LIMIT_MAX;
      boolean isBetween =
          limit.compareTo(BigDecimal.valueOf(least)) >= 0
              && limit.compareTo(BigDecimal.valueOf(most)) <= 0;
      if (isWhole && isBetween) return limit;
      throw toml.wrong(
          List.of("limits", key), "must be a whole number from %d to %,d".formatted(least, most));
    }

    private Map<String, String> models() {
      var models = new LinkedHashMap<String, String>();
      for (var name : toml.keys("models")) {
        if (!NAME.matcher(name).matches()) {
          throw toml.wrong(
              List.of("models", name), "must be letters, digits, underscores and dashes");
        }
        var url = toml.string("models", name).orElse("");
        int from = url.indexOf("://");
        if (url.indexOf('@', Math.max(0, from)) >= 0 && url.startsWith("http", from + 3)) {
          throw toml.wrong(
              List.of("models", name), "must not hold a secret; keys come from the environment");
        }
        models.put(name, url);
      }
      return models;
    }

    private Path root() {
      var parent = file.getParent();
      return parent == null ? file : parent;
    }

    private Path inside(List<String> keys, String text) {
      return FolderPath.inside(root(), text)
          .orElseThrow(() ->
              toml.wrong(keys, "must stay inside the folder of the file, was `" + text + "`"));
    }

    private Optional<RagFolder.ToolRoot> tools() {
      if (!toml.has("tools")) return Optional.empty();
      var keys = List.of("tools", "root");
      var text =
          toml.string("tools", "root")
              .orElseThrow(() -> toml.wrong(List.of("tools"), "needs a `root`"));
      var root = inside(keys, text);
      if (!Files.isDirectory(root)) throw toml.wrong(keys, "is no folder");
      boolean isWritten = toml.flag("tools", "write");
      if (isWritten && file.startsWith(FolderConfig.real(root))) {
        throw toml.wrong(
            keys, "holds the file that says what is allowed, so tools must not write there");
      }
      return Optional.of(new RagFolder.ToolRoot(FolderConfig.real(root), isWritten));
    }

    private Optional<Granted> program() {
      if (!toml.has("program")) return Optional.empty();
      var keys = List.of("program", "folder");
      var folder = inside(keys, toml.string("program", "folder").orElse("."));
      if (!Files.isDirectory(folder)) throw toml.wrong(keys, "is no folder");
      return Optional.of(
          new Granted(
              folder,
              toml.strings("program", "tools"),
              toml.strings("program", "agents"),
              toml.strings("program", "graphs")));
    }
  }
}
