package dev.superstep.server.internal.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// The fields of a JSON object from a client. A field that is null counts as missing; one of
/// another kind is a [HttpFailure] with status 422 that names it. Immutable, as long as the object
/// is.
public record Fields(ObjectNode json) {
  /// The fields of a body, which may be missing.
  ///
  /// @throws HttpFailure 422 if it is no object
  public static Fields of(JsonNode body) {
    if (isNone(body)) return new Fields(JsonNodeFactory.instance.objectNode());
    if (body instanceof ObjectNode object) return new Fields(object);
    throw new HttpFailure(422, "The body must be a JSON object.");
  }

  /// Returns whether a value is missing or null.
  public static boolean isNone(JsonNode value) {
    return value.isMissingNode() || value.isNull();
  }

  /// A field as it is; a missing node if it is not there.
  public JsonNode any(String field) {
    return json.path(field);
  }

  /// A text that is not empty.
  public Optional<String> text(String field) {
    var value = json.path(field);
    if (isNone(value)) return Optional.empty();
    if (!value.isString() || value.stringValue().isEmpty()) {
      throw bad(field, "must be a string that is not empty");
    }
    return Optional.of(storable(field, value.stringValue()));
  }

  /// Stores keep no U+0000 and no half of a character.
  private static String storable(String field, String text) {
    boolean isStorable =
        text.codePoints()
            .noneMatch(point ->
                point == 0
                    || (point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE));
    if (isStorable) return text;
    throw bad(field, "must be Unicode without U+0000");
  }

  /// A text that must be there.
  public String required(String field) {
    return text(field).orElseThrow(() -> bad(field, "is missing"));
  }

  /// True or false.
  public boolean flag(String field, boolean otherwise) {
    var value = json.path(field);
    if (isNone(value)) return otherwise;
    if (value.isBoolean()) return value.booleanValue();
    throw bad(field, "must be true or false");
  }

  /// An object; an empty one if it is missing.
  public ObjectNode object(String field) {
    return objectIfAny(field).orElseGet(json::objectNode);
  }

  /// An object, if there is one.
  public Optional<ObjectNode> objectIfAny(String field) {
    var value = json.path(field);
    if (isNone(value)) return Optional.empty();
    if (value instanceof ObjectNode object) return Optional.of(object);
    throw bad(field, "must be an object");
  }

  /// A whole number, if there is one.
  public OptionalInt number(String field, int least, int most) {
    var value = json.path(field);
    if (isNone(value)) return OptionalInt.empty();
    if (value.isIntegralNumber() && value.canConvertToInt()) {
      int number = value.intValue();
      if (number >= least && number <= most) return OptionalInt.of(number);
    }
    throw bad(field, "must be a whole number from " + least + " to " + most);
  }

  /// A list of texts; an empty one if it is missing.
  public List<String> texts(String field) {
    var value = json.path(field);
    if (isNone(value)) return List.of();
    if (!value.isArray()) throw bad(field, "must be a list of strings");
    var all = new ArrayList<String>();
    for (var each : value) {
      if (!each.isString()) throw bad(field, "must be a list of strings");
      all.add(storable(field, each.stringValue()));
    }
    return List.copyOf(all);
  }

  /// A constant by its name in small letters, if there is one.
  public <E extends Enum<E>> Optional<E> choice(String field, E[] known) {
    var name = text(field);
    if (name.isEmpty()) return Optional.empty();
    var names = new ArrayList<String>();
    for (var one : known) {
      var small = one.name().toLowerCase(Locale.ROOT);
      if (small.equals(name.get())) return Optional.of(one);
      names.add(small);
    }
    throw bad(field, "must be one of " + names + ", was `" + name.get() + "`");
  }

  /// The failure of a field.
  public static HttpFailure bad(String field, String why) {
    return new HttpFailure(422, "Field `" + field + "` " + why + ".");
  }
}
