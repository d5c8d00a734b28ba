package dev.superstep.schema;

import com.networknt.schema.Error;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Words one finding of the validator.
final class ViolationText {
  private static final int EXCERPT_MAX = 60;

  private ViolationText() {}

  static Violation of(Error error) {
    var path = error.getInstanceLocation().toString();
    return new Violation(path, subject(path) + " " + describe(error) + ".");
  }

  /// None of several shapes fits.
  static Violation noShape(String path, List<Error> errors) {
    Set<String> names = new LinkedHashSet<>();
    Set<String> kinds = new LinkedHashSet<>();
    JsonNode name = null;
    JsonNode value = null;
    for (var error : errors) {
      if (error.getKeyword().equals("const")) {
        names.add(String.valueOf(error.getSchemaNode()));
        name = error.getInstanceNode();
      } else if (error.getKeyword().equals("type")
          && error.getInstanceLocation().toString().equals(path)) {
        kinds.add(kind(String.valueOf(error.getArguments()[1])));
        value = error.getInstanceNode();
      }
    }
    if (!names.isEmpty()) {
      var what = subject(path + "/type") + " must be " + either(names) + "; it is " + brief(name);
      return new Violation(path + "/type", what + ".");
    }
    var what = subject(path) + " must be " + either(kinds) + "; it is " + brief(value);
    return new Violation(path, what + ".");
  }

  private static String describe(Error error) {
    var rule = error.getSchemaNode();
    var value = error.getInstanceNode();
    var arguments = error.getArguments();
    return switch (error.getKeyword()) {
      case "type" -> "must be " + kind(String.valueOf(arguments[1])) + "; it is " + brief(value);
      case "required" -> "lacks the property `" + error.getProperty() + "`";
      case "additionalProperties" -> "must not have the property `" + error.getProperty() + "`";
      case "enum" -> "must be " + either(elements(rule)) + "; it is " + brief(value);
      case "const" -> "must be " + rule + "; it is " + brief(value);
      case "maxLength" -> "must have at most " + rule + " characters; " + has(value, "characters");
      case "minLength" -> "must have at least " + rule + " characters; " + has(value, "characters");
      case "maxItems" -> "must have at most " + rule + " items; " + has(value, "items");
      case "minItems" -> "must have at least " + rule + " items; " + has(value, "items");
      case "maximum" -> "must be at most " + rule + "; it is " + brief(value);
      case "minimum" -> "must be at least " + rule + "; it is " + brief(value);
      default -> error.getMessage() + "; it is " + brief(value);
    };
  }

  private static String subject(String path) {
    return path.isEmpty() ? "The value" : "`" + path + "`";
  }

  private static String kind(String type) {
    return switch (type) {
      case "object" -> "an object";
      case "array" -> "a list";
      case "integer" -> "a whole number";
      case "null" -> "null";
      default -> type.startsWith("[") ? "of type " + type : "a " + type;
    };
  }

  private static String has(@Nullable JsonNode value, String what) {
    if (value == null) return "it has others";
    var size = value.isString() ? length(value.stringValue()) : value.size();
    return "it has " + size + (size == 1 ? " " + what.replaceFirst("s$", "") : " " + what);
  }

  private static int length(String text) {
    return text.codePointCount(0, text.length());
  }

  private static Set<String> elements(JsonNode values) {
    Set<String> elements = new LinkedHashSet<>();
    values.forEach(value -> elements.add(value.toString()));
    return elements;
  }

  private static String either(Set<String> choices) {
    if (choices.size() == 1) return choices.iterator().next();
    return choices.isEmpty() ? "of another shape" : "one of " + String.join(", ", choices);
  }

  private static String brief(@Nullable JsonNode value) {
    if (value == null) return "missing";
    var text = value.toString();
    if (text.length() <= EXCERPT_MAX) return text;
    var last = text.charAt(EXCERPT_MAX - 1);
    return text.substring(0, Character.isHighSurrogate(last) ? EXCERPT_MAX - 1 : EXCERPT_MAX) + "…";
  }
}
