package dev.superstep.repl.config;

import dev.superstep.json.Json;
import dev.superstep.json.MalformedJson;
import dev.superstep.language.Suggestion;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// The fields of an object in a configuration, all of whose keys are known. Immutable.
///
/// @param path of the object, with a dot at its end; empty for the outermost
record ConfigFields(String path, JsonNode node) {
  /// Reads the outermost object.
  static ConfigFields parse(String json, List<String> known) {
    try {
      // Refuses what is twice, and what is too deep or too large.
      return checked("", JsonMapper.shared().readTree(Json.parse(json).text()), known);
    } catch (MalformedJson e) {
      throw new InvalidReplConfig("", "is no JSON: " + e.getMessage());
    }
  }

  private static ConfigFields checked(String path, JsonNode node, List<String> known) {
    var at = path.isEmpty() ? "" : path.substring(0, path.length() - 1);
    if (!node.isObject()) throw new InvalidReplConfig(at, "must be an object in braces.");
    for (var name : node.propertyNames()) {
      if (known.contains(name)) continue;
      var near = Suggestion.nearest(name, known);
      throw new InvalidReplConfig(
          path + name,
          "is no key; there are "
              + String.join(", ", known)
              + "."
              + near.map(n -> " Did you mean `" + n + "`?").orElse(""));
    }
    return new ConfigFields(path, node);
  }

  private @Nullable JsonNode value(String key) {
    var value = node.get(key);
    return value == null || value.isNull() ? null : value;
  }

  private InvalidReplConfig wrong(String key, String must) {
    return new InvalidReplConfig(path + key, "must be " + must + ".");
  }

  /// An object inside; one without fields if it is absent.
  ConfigFields object(String key, List<String> known) {
    var value = value(key);
    return value == null
        ? new ConfigFields(path + key + ".", JsonMapper.shared().createObjectNode())
        : checked(path + key + ".", value, known);
  }

  boolean isObject(String key) {
    var value = value(key);
    return value != null && value.isObject();
  }

  Optional<String> text(String key) {
    var value = value(key);
    if (value == null) return Optional.empty();
    if (!value.isString() || value.asString().isBlank()) {
      throw wrong(key, "a text that is not empty");
    }
    return Optional.of(value.asString());
  }

  /// A list of texts; one text is a list of one.
  List<String> texts(String key) {
    var value = value(key);
    if (value == null) return List.of();
    if (value.isString()) return List.of(text(key).orElseThrow());
    if (!value.isArray()) throw wrong(key, "a text or a list of texts");
    var all = new ArrayList<String>();
    for (var each : value) {
      if (!each.isString() || each.asString().isBlank()) throw wrong(key, "a list of texts");
      if (all.contains(each.asString())) {
        throw new InvalidReplConfig(path + key, "names `" + each.asString() + "` twice.");
      }
      all.add(each.asString());
    }
    return all;
  }

  /// A whole number, or the standard one.
  long number(String key, long standard, long least, long most) {
    var value = value(key);
    if (value == null) return standard;
    if (value.isIntegralNumber() && value.canConvertToLong()) {
      long number = value.asLong();
      if (number >= least && number <= most) return number;
    }
    throw wrong(key, "a whole number from %,d to %,d".formatted(least, most));
  }

  int number(String key, int standard, int least) {
    return (int) number(key, standard, least, Integer.MAX_VALUE);
  }
}
