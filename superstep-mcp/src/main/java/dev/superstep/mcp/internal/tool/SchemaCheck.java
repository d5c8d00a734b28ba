package dev.superstep.mcp.internal.tool;

import dev.superstep.mcp.internal.wire.Wire;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Makes the schema of a server fit for a check of arguments here. A schema is a program that the
/// server wrote: references that fan out or go in circles would never end, and a regular expression
/// may take as long as it likes. For one schema and one thread.
public final class SchemaCheck {
  private static final int WORK_MAX = 20_000;
  private static final int PATTERN_SHOWN = 200;
  private static final Set<String> NAMED =
      Set.of("properties", "$defs", "definitions", "dependentSchemas");
  private static final Set<String> VALUES = Set.of("const", "enum", "default", "examples");
  private static final List<String> IN_PLACE =
      List.of("allOf", "anyOf", "oneOf", "not", "if", "then", "else");

  private final JsonNode root;
  private final Map<JsonNode, Integer> work = new HashMap<>();
  private final Set<JsonNode> open = new HashSet<>();

  private SchemaCheck(JsonNode root) {
    this.root = root;
  }

  /// Why arguments cannot be checked by it, if they cannot.
  public static Optional<String> problem(JsonNode schema) {
    if (!schema.path("type").asString("").equals("object")) {
      return Optional.of("its schema is not one of an object");
    }
    try {
      int work = new SchemaCheck(schema).most(schema);
      return work < WORK_MAX ? Optional.empty() : Optional.of("its schema is too complex");
    } catch (IllegalArgumentException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  /// The most work in any place.
  private int most(JsonNode node) {
    int most = node.isObject() ? work(node) : 0;
    for (var one : node) most = Math.max(most, most(one));
    return most;
  }

  /// The number of schemas that a value may be checked by in one place, references followed.
  private int work(JsonNode schema) {
    if (!schema.isObject() && !schema.isArray()) return 1;
    var known = work.get(schema);
    if (known != null) return known;
    if (!open.add(schema)) throw new IllegalArgumentException("its schema refers to itself");
    long sum = 1;
    if (schema.isArray()) {
      for (var one : schema) sum += work(one);
    } else {
      for (var key : IN_PLACE) if (schema.has(key)) sum += work(schema.path(key));
      if (schema.has("$ref")) sum += work(target(schema.path("$ref").asString("")));
      if (schema.has("$dynamicRef"))
        throw new IllegalArgumentException("it has a dynamic reference");
    }
    open.remove(schema);
    int total = (int) Math.min(sum, WORK_MAX);
    work.put(schema, total);
    return total;
  }

  private JsonNode target(String reference) {
    if (reference.equals("#")) return root;
    if (!reference.startsWith("#/")) {
      throw new IllegalArgumentException("its schema refers to another document or an anchor");
    }
    var found = root.at(reference.substring(1));
    if (found.isMissingNode()) throw new IllegalArgumentException("its schema refers to nothing");
    return found;
  }

  /// A copy in which regular expressions are only told to the model, not run.
  public static ObjectNode withoutPatterns(JsonNode schema) {
    var copy = (ObjectNode) schema.deepCopy();
    strip(copy);
    return copy;
  }

  private static void strip(JsonNode schema) {
    if (schema.isArray()) {
      for (var one : schema) strip(one);
    } else if (schema instanceof ObjectNode object) {
      var pattern = object.remove("pattern");
      if (pattern != null && pattern.isString()) {
        var told = "Matches `" + Wire.cut(pattern.asString(), PATTERN_SHOWN) + "`.";
        var before = object.path("description").asString("");
        object.put("description", before.isEmpty() ? told : before + " " + told);
      }
      if (object.remove("patternProperties") != null) {
        // What they allow must not be refused now.
        object.remove("additionalProperties");
        object.remove("unevaluatedProperties");
      }
      // In places where names are not keywords.
      for (var field : object.properties()) {
        if (VALUES.contains(field.getKey())) continue;
        if (NAMED.contains(field.getKey())) for (var one : field.getValue()) strip(one);
        else strip(field.getValue());
      }
    }
  }
}
