package dev.superstep.language.blueprint;

import dev.superstep.language.json.JsonTree;
import dev.superstep.language.rag.Durations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/// An object of JSON that is read field by field; a field that nobody read is an error. For one
/// use.
final class JsonObject {
  private final Map<String, JsonTree> fields;
  private final Set<String> read = new HashSet<>();
  private final String where;

  private JsonObject(Map<String, JsonTree> fields, String where) {
    this.fields = fields;
    this.where = where;
  }

  static JsonObject of(JsonTree tree, String where) {
    if (tree instanceof JsonTree.Fields(var fields)) return new JsonObject(fields, where);
    throw wrong(where, "an object");
  }

  static IllegalArgumentException wrong(String where, String wanted) {
    return new IllegalArgumentException(where + " must be " + wanted);
  }

  Set<String> names() {
    return fields.keySet();
  }

  boolean has(String name) {
    return fields.containsKey(name);
  }

  JsonTree get(String name) {
    read.add(name);
    var value = fields.get(name);
    if (value == null) throw new IllegalArgumentException(where + " has no `" + name + "`");
    return value;
  }

  String text(String name) {
    return text(get(name), where + "." + name);
  }

  Optional<String> optional(String name) {
    return has(name) ? Optional.of(text(name)) : Optional.empty();
  }

  boolean bool(String name) {
    if (get(name) instanceof JsonTree.Bool(var value)) return value;
    throw wrong(where + "." + name, "true or false");
  }

  int count(String name) {
    return count(get(name), where + "." + name);
  }

  Duration duration(String name) {
    return duration(get(name), where + "." + name);
  }

  List<String> texts(String name) {
    return texts(get(name), where + "." + name);
  }

  <T> List<T> list(String name, Function<JsonObject, T> each) {
    return list(get(name), where + "." + name, each);
  }

  JsonObject object(String name) {
    return of(get(name), where + "." + name);
  }

  /// Refuses fields that nobody read.
  void done() {
    for (var name : fields.keySet()) {
      if (!read.contains(name)) {
        throw new IllegalArgumentException(where + " has an unknown field `" + name + "`");
      }
    }
  }

  static String text(JsonTree tree, String where) {
    if (tree instanceof JsonTree.Text(var value)) return value;
    throw wrong(where, "a string");
  }

  static int count(JsonTree tree, String where) {
    if (!(tree instanceof JsonTree.Decimal(var value))) throw wrong(where, "a whole number");
    try {
      return value.intValueExact();
    } catch (ArithmeticException _) {
      throw wrong(where, "a whole number");
    }
  }

  static Duration duration(JsonTree tree, String where) {
    return Durations.read(text(tree, where)).orElseThrow(() -> wrong(where, "a duration"));
  }

  static List<String> texts(JsonTree tree, String where) {
    var texts = new ArrayList<String>();
    for (var each : items(tree, where)) texts.add(text(each, where));
    return texts;
  }

  static <T> List<T> list(JsonTree tree, String where, Function<JsonObject, T> each) {
    var all = new ArrayList<T>();
    for (var value : items(tree, where)) {
      var object = of(value, where);
      all.add(each.apply(object));
      object.done();
    }
    return all;
  }

  static List<JsonTree> items(JsonTree tree, String where) {
    if (tree instanceof JsonTree.Items(var values)) return values;
    throw wrong(where, "an array");
  }
}
