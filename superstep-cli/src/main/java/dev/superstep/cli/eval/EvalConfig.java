package dev.superstep.cli.eval;

import dev.superstep.cli.host.TextFile;
import dev.superstep.cli.host.UsageError;
import dev.superstep.language.Suggestion;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.tomlj.Toml;
import org.tomlj.TomlArray;
import org.tomlj.TomlPosition;
import org.tomlj.TomlTable;

/// The settings in `eval/eval.toml` of a folder. Errors in it are told with file, line and column.
/// Immutable.
final class EvalConfig {
  static final String FOLDER = "eval";
  static final String FILE = "eval.toml";
  private static final String CHECKS = "checks";
  private static final int BYTES_MAX = 64 * 1024;
  private static final int NUMBER_MAX = 1_000;
  private static final int SECONDS_MAX = 86_400;
  private static final Set<String> KEYS =
      Set.of("repeats", "concurrency", "threshold", "timeout", CHECKS);

  private final Path file;
  private final TomlTable toml;

  private EvalConfig(Path file, TomlTable toml) {
    this.file = file;
    this.toml = toml;
  }

  /// Reads the file, if there is one.
  ///
  /// @param folder of the program
  /// @throws UsageError if it holds anything else than it may
  static EvalConfig read(Path folder) {
    var file = folder.resolve(FOLDER).resolve(FILE);
    if (!Files.exists(file)) return new EvalConfig(file, Toml.parse(""));
    var toml = Toml.parse(TextFile.read(file, BYTES_MAX, "config"));
    if (toml.hasErrors()) {
      var first = toml.errors().getFirst();
      throw error(file, first.position(), String.valueOf(first.getMessage()));
    }
    var config = new EvalConfig(file, toml);
    config.checkKeys(toml, List.of(), KEYS);
    return config;
  }

  Path file() {
    return file;
  }

  /// The folder of the datasets.
  Path folder() {
    var folder = file.getParent();
    return folder == null ? Path.of(FOLDER) : folder;
  }

  Optional<Integer> repeats() {
    return whole("repeats", NUMBER_MAX);
  }

  Optional<Integer> concurrency() {
    return whole("concurrency", NUMBER_MAX);
  }

  Optional<Double> threshold() {
    return number(List.of("threshold"));
  }

  Optional<Duration> timeout() {
    return whole("timeout", SECONDS_MAX).map(Duration::ofSeconds);
  }

  private Optional<Integer> whole(String key, int most) {
    var value = number(List.of(key));
    if (value.isEmpty()) return Optional.empty();
    int whole = value.get().intValue();
    if (whole != value.get() || whole < 1 || whole > most) {
      throw wrong(List.of(key), "must be a whole number from 1 to " + most);
    }
    return Optional.of(whole);
  }

  Optional<Double> number(List<String> keys) {
    return switch (toml.get(keys)) {
      case null -> Optional.empty();
      case Long number -> Optional.of(number.doubleValue());
      case Double number -> Optional.of(number);
      default -> throw wrong(keys, "must be a number");
    };
  }

  Optional<String> text(List<String> keys) {
    return switch (toml.get(keys)) {
      case null -> Optional.empty();
      case String text when !text.isBlank() -> Optional.of(text);
      default -> throw wrong(keys, "must be a text in quotes");
    };
  }

  List<String> texts(List<String> keys) {
    var found = toml.get(keys);
    if (found == null) return List.of();
    if (!(found instanceof TomlArray array)) throw wrong(keys, "must be a list of texts");
    var texts = new ArrayList<String>();
    for (var item : array.toList()) {
      if (!(item instanceof String text)) throw wrong(keys, "must be a list of texts");
      texts.add(text);
    }
    return texts;
  }

  /// The names of the checks, in their order in the file.
  List<String> checks() {
    var found = toml.get(List.of(CHECKS));
    if (found == null) return List.of();
    if (!(found instanceof TomlTable tables)) throw wrong(List.of(CHECKS), "must be a table");
    var names = new ArrayList<>(tables.keySet());
    names.sort(Comparator.comparingInt(this::line));
    return names;
  }

  private int line(String check) {
    var position = toml.inputPositionOf(List.of(CHECKS, check));
    return position == null ? Integer.MAX_VALUE : position.line();
  }

  static List<String> key(String check, String key) {
    return List.of(CHECKS, check, key);
  }

  /// Refuses keys of a check that it does not have.
  void checkKeys(String check, Set<String> known) {
    var path = List.of(CHECKS, check);
    if (!(toml.get(path) instanceof TomlTable table)) throw wrong(path, "must be a table");
    checkKeys(table, path, known);
  }

  private void checkKeys(TomlTable table, List<String> path, Set<String> known) {
    for (var key : table.keySet()) {
      if (known.contains(key)) continue;
      var at = new ArrayList<>(path);
      at.add(key);
      var near = Suggestion.nearest(key, known.stream().sorted().toList());
      throw wrong(
          at,
          "is not a key that is known here. Known: "
              + String.join(", ", known.stream().sorted().toList())
              + near.map(name -> ". Did you mean `" + name + "`?").orElse(""));
    }
  }

  /// An error about one value.
  UsageError wrong(List<String> keys, String why) {
    var end = why.endsWith("?") ? "" : ".";
    return error(file, toml.inputPositionOf(keys), "`" + String.join(".", keys) + "` " + why + end);
  }

  private static UsageError error(Path file, @Nullable TomlPosition at, String why) {
    var place = at == null ? "" : ":" + at.line() + ":" + at.column();
    return new UsageError("config.broken", file + place + ": " + why);
  }
}
