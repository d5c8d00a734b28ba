package dev.superstep.cli.host;

import dev.superstep.json.Json;
import dev.superstep.language.Suggestion;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.tomlj.Toml;
import org.tomlj.TomlArray;
import org.tomlj.TomlParseResult;
import org.tomlj.TomlPosition;
import org.tomlj.TomlTable;

/// A configuration file whose keys are all known. Errors in it are reported with file, line and
/// column. Immutable.
final class TomlFile {
  /// The keys of a table whose keys are names that its writer chose.
  static final Set<String> ANY = Set.of("*");

  /// The keys of a table whose keys are such names too, and whose values are tables that somebody
  /// else reads.
  static final Set<String> TABLES = Set.of("**");

  private static final int BYTES_MAX = 64 * 1024;

  private final Path file;
  private final TomlParseResult toml;

  private TomlFile(Path file, TomlParseResult toml) {
    this.file = file;
    this.toml = toml;
  }

  /// Reads a file.
  ///
  /// @param known the keys of each table; the top level has the name ""
  /// @throws UsageError if it cannot be read or holds anything else
  static TomlFile read(Path file, Map<String, Set<String>> known) {
    return parse(file, TextFile.read(file, BYTES_MAX, "config"), known);
  }

  /// Reads the text of a file that was read before.
  ///
  /// @throws UsageError if it holds anything else
  static TomlFile parse(Path file, String text, Map<String, Set<String>> known) {
    var toml = Toml.parse(text);
    if (toml.hasErrors()) {
      var first = toml.errors().getFirst();
      throw error(file, first.position(), String.valueOf(first.getMessage()));
    }
    var read = new TomlFile(file, toml);
    read.checkTable(toml, "", known);
    return read;
  }

  /// Returns a text, if the key is present.
  ///
  /// @param path the key, after its table if it is in one
  Optional<String> string(String... path) {
    var keys = List.of(path);
    var value = toml.get(keys);
    if (value == null) return Optional.empty();
    if (value instanceof String text && !text.isBlank()) return Optional.of(text);
    throw wrong(keys, "must be a text in quotes");
  }

  /// Returns a list of texts; empty if the key is absent.
  List<String> strings(String... path) {
    var keys = List.of(path);
    var value = toml.get(keys);
    if (value == null) return List.of();
    var texts = new ArrayList<String>();
    if (!(value instanceof TomlArray array)) throw wrong(keys, "must be a list of texts");
    for (var item : array.toList()) {
      if (!(item instanceof String text)) throw wrong(keys, "must be a list of texts");
      texts.add(text);
    }
    return texts;
  }

  /// Returns a text, number or truth as a text, or a list of texts with commas between them; empty
  /// if the key is absent.
  Optional<String> any(String... path) {
    var keys = List.of(path);
    return switch (toml.get(keys)) {
      case null -> Optional.empty();
      case TomlArray _ -> Optional.of(String.join(",", strings(path)));
      case TomlTable _ -> throw wrong(keys, "must not be a table");
      case Object value -> Optional.of(value.toString());
    };
  }

  /// Returns true if a key or table is present.
  boolean has(String key) {
    return toml.contains(List.of(key));
  }

  /// Returns the keys of a table in their order; none if it is absent.
  List<String> keys(String table) {
    var found = toml.get(List.of(table));
    if (!(found instanceof TomlTable keys)) return List.of();
    return keys.keySet().stream().sorted().toList();
  }

  /// Returns the tables of a table of [#TABLES], by their names.
  Map<String, Json> tables(String table) {
    var all = new LinkedHashMap<String, Json>();
    for (var name : keys(table)) {
      if (toml.get(List.of(table, name)) instanceof TomlTable inner) {
        all.put(name, Json.parse(inner.toJson()));
      }
    }
    return all;
  }

  /// Returns true if the key is present and true.
  boolean flag(String... path) {
    var value = toml.get(List.of(path));
    if (value == null) return false;
    if (value instanceof Boolean flag) return flag;
    throw wrong(List.of(path), "must be true or false");
  }

  /// Returns a number that is not negative.
  BigDecimal number(String... path) {
    var keys = List.of(path);
    var value = toml.get(keys);
    var number =
        value instanceof Long whole
            ? BigDecimal.valueOf(whole)
            : value instanceof Double part && Double.isFinite(part)
                ? BigDecimal.valueOf(part)
                : BigDecimal.ONE.negate();
    if (number.signum() < 0) throw wrong(keys, "must be a number that is not negative");
    return number;
  }

  /// Creates an error about one value.
  UsageError wrong(List<String> keys, String why) {
    var position = toml.inputPositionOf(keys);
    return error(
        file, position, "`" + String.join(".", keys) + "` " + why + (why.endsWith("?") ? "" : "."));
  }

  private void checkTable(TomlTable table, String name, Map<String, Set<String>> known) {
    var keys = known.getOrDefault(name, Set.of());
    for (var entry : table.entrySet()) {
      var key = entry.getKey();
      var path = name.isEmpty() ? List.of(key) : List.of(name, key);
      boolean isTable = name.isEmpty() && !key.isEmpty() && known.containsKey(key);
      if (isTable) {
        if (!(entry.getValue() instanceof TomlTable inner)) throw wrong(path, "must be a table");
        checkTable(inner, key, known);
      } else if (keys.equals(TABLES)) {
        if (!(entry.getValue() instanceof TomlTable)) throw wrong(path, "must be a table");
      } else if (keys.equals(ANY)) {
        if (!(entry.getValue() instanceof String)) throw wrong(path, "must be a text in quotes");
      } else if (!keys.contains(key)) {
        throw wrong(
            path,
            "is not a key that is known here. Known: "
                + names(name, known)
                + near(key, name, known));
      }
    }
  }

  private static String near(String key, String table, Map<String, Set<String>> known) {
    var names = new ArrayList<>(known.getOrDefault(table, Set.of()));
    if (table.isEmpty()) names.addAll(known.keySet());
    names.sort(null);
    return Suggestion.nearest(key, names).map(n -> ". Did you mean `" + n + "`?").orElse("");
  }

  private static String names(String table, Map<String, Set<String>> known) {
    var names = new ArrayList<>(known.getOrDefault(table, Set.of()));
    if (table.isEmpty()) {
      known.keySet().stream().filter(k -> !k.isEmpty()).map(k -> "[" + k + "]").forEach(names::add);
    }
    names.sort(null);
    return String.join(", ", names);
  }

  private static UsageError error(Path file, @Nullable TomlPosition at, String why) {
    var place = at == null ? "" : ":" + at.line() + ":" + at.column();
    return new UsageError("config.broken", file + place + ": " + why);
  }
}
