package dev.superstep.json;

import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Writes maps, lists and what they hold as JSON, value by value, since their types do not tell
/// what is inside. One thread at a time.
final class PlainCollections {
  // Less deep than what can be read; a collection that contains itself ends here as well.
  private static final int NESTING_MAX = JsonLimit.NESTING.most();

  private final StringBuilder text = new StringBuilder();
  private final String type;

  private PlainCollections(String type) {
    this.type = type;
  }

  /// Returns whether a value is written by this class.
  static boolean isCollection(Object value) {
    return value instanceof Map || value instanceof Collection || value instanceof Optional;
  }

  /// @throws UnsupportedType if a key is no string, or a value has no codec; it names the path
  static Json encode(Object value) {
    var writing = new PlainCollections(type(value));
    writing.write(value, "", 1);
    return new Json(writing.text.toString());
  }

  private static String type(Object value) {
    if (value instanceof Map) return "Map";
    return value instanceof Collection ? "List" : "Optional";
  }

  private void write(@Nullable Object value, String path, int depth) {
    if (depth > NESTING_MAX) throw new UnsupportedType(type, JsonLimit.NESTING, path);
    switch (value) {
      case null -> text.append("null");
      case Map<?, ?> map -> writeMap(map, path, depth);
      case Collection<?> list -> writeList(list, path, depth);
      case Optional<?> optional -> write(optional.orElse(null), path, depth);
      default -> text.append(scalar(value, path));
    }
  }

  private void writeMap(Map<?, ?> map, String path, int depth) {
    text.append('{');
    var separator = "";
    for (var entry : map.entrySet()) {
      text.append(separator).append(Json.string(key(entry.getKey(), path)).text()).append(':');
      var key = String.valueOf(entry.getKey());
      write(entry.getValue(), path.isEmpty() ? key : path + "." + key, depth + 1);
      separator = ",";
    }
    text.append('}');
  }

  private void writeList(Collection<?> list, String path, int depth) {
    text.append('[');
    int at = 0;
    for (var item : list) {
      if (at > 0) text.append(',');
      write(item, path + "[" + at + "]", depth + 1);
      at++;
    }
    text.append(']');
  }

  private String key(@Nullable Object key, String path) {
    if (key instanceof String name) return name;
    var where = path.isEmpty() ? "the map itself" : "the map at `" + path + "`";
    var found =
        key == null
            ? " has a key that is null; keys of JSON are strings"
            : " has the key " + key + " of type " + name(key) + "; keys of JSON are strings";
    throw new UnsupportedType(type, where + found);
  }

  private String scalar(Object value, String path) {
    try {
      return Json.of(value).text();
    } catch (UnsupportedType e) {
      var why = value.getClass().isArray() ? "; use a list" : "";
      var found = "the value at `" + path + "` is of type " + name(value) + why;
      throw new UnsupportedType(type, found);
    } catch (MalformedJson e) {
      throw new MalformedJson(e.type(), e.why() + " (at `" + path + "`)", e);
    }
  }

  private static String name(Object value) {
    var simple = value.getClass().getSimpleName();
    return simple.isEmpty() ? value.getClass().getName() : simple;
  }
}
