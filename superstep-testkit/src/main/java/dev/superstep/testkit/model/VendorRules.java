package dev.superstep.testkit.model;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// The rules of a vendor that a request breaks. A [ModelServer] refuses such a request as the
/// vendor would, so that no suite passes with a request that only a lenient server takes. One
/// request.
///
/// Each rule names its source in a comment: the vendor's documentation, or the message of a refusal
/// that users have reported. None of them was tried against the vendor by us; those without a
/// source of either kind are marked "not verified".
abstract class VendorRules {
  private static final int MIB = 1024 * 1024;
  private static final Pattern PLACE = Pattern.compile("%[sd]");

  /// Fields of the suites' own, by which they check that unknown ones are passed on.
  private static final String PROBE = "x_";

  private final List<String> broken = new ArrayList<>();

  /// The rules that a request breaks, in the words of the vendor's refusals.
  final List<String> check(String path, String text) {
    var body = JsonMapper.shared().readTree(text);
    rules(path, text, body);
    return List.copyOf(broken);
  }

  abstract void rules(String path, String text, JsonNode body);

  final void require(boolean holds, String message, Object... parts) {
    if (holds) return;
    var told = message;
    for (var part : parts) {
      told = PLACE.matcher(told).replaceFirst(Matcher.quoteReplacement(String.valueOf(part)));
    }
    broken.add(told);
  }

  final void known(JsonNode object, String where, Set<String> fields) {
    for (var name : object.propertyNames()) {
      require(
          fields.contains(name) || name.startsWith(PROBE),
          "%s: extra inputs are not permitted: `%s`",
          where,
          name);
    }
  }

  final void sized(String text, int mib) {
    require(text.length() <= mib * MIB, "request_too_large: more than %d MB", mib);
  }

  final void between(JsonNode number, double least, double most, String where) {
    if (number.isMissingNode()) return;
    require(
        number.isNumber() && number.doubleValue() >= least && number.doubleValue() <= most,
        "%s: must be from %s to %s",
        where,
        least,
        most);
  }

  final void named(String name, Pattern form, String where) {
    require(form.matcher(name).matches(), "%s: `%s` does not match %s", where, name, form);
  }

  /// An object at the top, without alternatives.
  final void topLevel(JsonNode schema, String where) {
    require(text(schema, "type").equals("object"), "%s: schema must have type 'object'", where);
    for (var keyword : List.of("oneOf", "anyOf", "allOf", "enum", "not")) {
      require(!schema.has(keyword), "%s: `%s` is not supported at the top level", where, keyword);
    }
  }

  /// Closed objects all of whose properties are required, and no keyword outside of these.
  final void strict(JsonNode schema, String where, boolean allRequired, Set<String> refused) {
    if (schema.isArray()) {
      for (var part : schema) strict(part, where, allRequired, refused);
      return;
    }
    if (!schema.isObject()) return;
    for (var keyword : refused) {
      require(!schema.has(keyword), "%s: `%s` is not permitted", where, keyword);
    }
    if (text(schema, "type").equals("object")) {
      require(
          schema.path("additionalProperties").isBoolean()
              && !schema.path("additionalProperties").booleanValue(),
          "%s: 'additionalProperties' is required to be supplied and to be false",
          where);
      require(
          !allRequired || schema.path("required").size() == schema.path("properties").size(),
          "%s: 'required' is required to include every key in properties",
          where);
    }
    for (var property : schema.properties()) {
      switch (property.getKey()) {
        case "properties", "$defs" -> {
          for (var inner : property.getValue()) strict(inner, where, allRequired, refused);
        }
        case "items", "anyOf", "allOf", "oneOf" ->
            strict(property.getValue(), where, allRequired, refused);
        default -> {}
      }
    }
  }

  final void base64(String data, String where) {
    require(!data.startsWith("data:"), "%s: must be base64 without a data URL", where);
    require(data.matches("[A-Za-z0-9+/]*={0,2}"), "%s: invalid base64", where);
  }

  final void once(List<String> names, String where) {
    require(new HashSet<>(names).size() == names.size(), "%s: names must be unique", where);
  }

  static String text(JsonNode object, String field) {
    return object.path(field).asString("");
  }
}
