package dev.superstep.testkit;

import dev.superstep.json.Json;
import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Damages text and stored values by chance.
final class Damage {
  private static final int HITS_MAX = 3;
  private static final List<String> ODD =
      List.of(
          "null", "-1", "0.5", "1e999", "[]", "{}", "\"\"", "\"x\"", "true", "{\"type\":\"Put\"}");
  private static final List<String> LETTERS =
      List.of(
          "{", "}", "[", "]", "\"", ":", ",", "\\", "0", "-", "e", "\u0000", "\ud800", "é", " ");

  private final Choices choices;

  Damage(Choices choices) {
    this.choices = choices;
  }

  /// Random letters that JSON is made of.
  String noise() {
    if (choices.chance(5)) return choices.of("[", "{\"a\":", "[[1],").repeat(2_000);
    return String.join("", choices.list(40, c -> c.of(LETTERS)));
  }

  /// A text that was valid.
  String text(String valid) {
    var text = valid;
    for (int hits = choices.between(1, HITS_MAX); hits > 0; hits--) text = hit(text);
    return text;
  }

  private String hit(String text) {
    int from = choices.below(text.length() + 1);
    int to = Math.min(text.length(), from + choices.below(12));
    var before = text.substring(0, from);
    return switch (choices.below(6)) {
      case 0 -> before + text.substring(to);
      case 1 -> before;
      case 2 -> before + choices.of(LETTERS) + text.substring(from);
      case 3 -> before + text.substring(from, to) + text.substring(from);
      case 4 -> value(text, from);
      default -> before + choices.of(LETTERS) + text.substring(to);
    };
  }

  /// Another value in place of the next one.
  private String value(String text, int from) {
    int at = text.indexOf(':', from);
    if (at < 0) return choices.of(ODD);
    int end = at + 1;
    while (end < text.length() && ",]}".indexOf(text.charAt(end)) < 0) end++;
    return text.substring(0, at + 1) + choices.of(ODD) + text.substring(end);
  }

  /// A stored value with one part of it changed; the same if no such value can be made.
  Object stored(Object value) {
    return switch (value) {
      case Json json -> Json.unchecked(choices.chance(50) ? choices.of(ODD) : text(json.text()));
      case String text -> choices.of("", "x", "other/1/a", text + "x");
      case Integer number -> choices.of(-1, 0, Integer.MAX_VALUE, number + 1, number - 1);
      case Long number -> choices.of(-1L, 0L, Long.MAX_VALUE, number + 1);
      case Optional<?> maybe -> maybe.isEmpty() ? maybe : optional(maybe.get());
      case List<?> list -> list(list);
      case Map<?, ?> map -> map(map);
      case Record of -> record(of);
      default -> value;
    };
  }

  private Optional<?> optional(Object value) {
    return choices.chance(30) ? Optional.empty() : Optional.of(stored(value));
  }

  private List<?> list(List<?> list) {
    var changed = new ArrayList<Object>(list);
    if (changed.isEmpty()) return changed;
    int at = choices.below(changed.size());
    switch (choices.below(4)) {
      case 0 -> changed.remove(at);
      case 1 -> changed.add(changed.get(at));
      default -> changed.set(at, stored(changed.get(at)));
    }
    return changed;
  }

  private Map<?, ?> map(Map<?, ?> map) {
    var changed = new LinkedHashMap<Object, Object>(map);
    if (changed.isEmpty()) return changed;
    var key = choices.of(List.copyOf(changed.keySet()));
    switch (choices.below(3)) {
      case 0 -> changed.remove(key);
      case 1 -> changed.put(stored(key), changed.get(key));
      default -> changed.put(key, stored(changed.get(key)));
    }
    return changed;
  }

  private Object record(Record value) {
    var parts = value.getClass().getRecordComponents();
    if (parts.length == 0) return value;
    var types = new Class<?>[parts.length];
    var values = new Object[parts.length];
    try {
      for (int i = 0; i < parts.length; i++) {
        types[i] = parts[i].getType();
        values[i] = parts[i].getAccessor().invoke(value);
      }
      int at = choices.below(parts.length);
      values[at] = stored(values[at]);
      return value.getClass().getDeclaredConstructor(types).newInstance(values);
    } catch (InvocationTargetException _) {
      // No store could give such a value.
      return value;
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(value.getClass() + " cannot be made", e);
    }
  }
}
