package dev.superstep.schema;

import java.lang.reflect.AnnotatedElement;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Puts the [Limits] of a component or parameter into its schema, each where it means something.
final class LimitRules {
  private final String where;
  private boolean used;

  private LimitRules(String where) {
    this.where = where;
  }

  static void apply(AnnotatedElement said, String where, ObjectNode schema) {
    var limits = said.getAnnotation(Limits.class);
    if (limits == null) return;
    var list = is(schema, "array");
    new LimitRules(where)
        .at(schema, "array", "minItems", limits.minItems(), limits.minItems() != 0)
        .at(schema, "array", "maxItems", limits.maxItems(), limits.maxItems() != Integer.MAX_VALUE)
        .values(list ? (ObjectNode) schema.get("items") : schema, limits);
  }

  private void values(ObjectNode schema, Limits limits) {
    var number = is(schema, "number") ? "number" : "integer";
    var longest = limits.maxLength();
    at(schema, "string", "minLength", limits.minLength(), limits.minLength() != 0);
    at(schema, "string", "maxLength", longest, longest != Integer.MAX_VALUE);
    at(schema, number, "minimum", limits.min(), limits.min() != Long.MIN_VALUE);
    at(schema, number, "maximum", limits.max(), limits.max() != Long.MAX_VALUE);
    if (!used) throw new IllegalArgumentException("@Limits on " + where + " sets no limit");
  }

  private LimitRules at(ObjectNode schema, String type, String name, long bound, boolean isSet) {
    if (!isSet) return this;
    if (!is(schema, type) || schema.get("enum") != null) {
      throw new IllegalArgumentException(
          "@Limits on " + where + " sets " + name + ", which needs a type of kind " + type);
    }
    schema.put(name, bound);
    used = true;
    return this;
  }

  private static boolean is(JsonNode schema, String type) {
    var declared = schema.path("type");
    if (declared.isString()) return declared.asString().equals(type);
    return declared.isArray() && declared.path(0).asString("").equals(type);
  }
}
