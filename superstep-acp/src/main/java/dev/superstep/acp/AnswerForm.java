package dev.superstep.acp;

import dev.superstep.json.Json;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The answer to a question as a form with flat fields, which editors can show. Immutable.
///
/// @param schema in the form of the protocol
/// @param isWhole whether the fields are those of the answer; else it is the only one
record AnswerForm(ObjectNode schema, boolean isWhole) {
  private static final String ONLY = "answer";
  private static final Set<String> FLAT = Set.of("string", "number", "integer", "boolean");
  private static final Set<String> KEPT =
      Set.of("title", "description", "enum", "minLength", "maxLength", "minimum", "maximum");

  /// The form of a schema, if it is flat.
  static Optional<AnswerForm> of(JsonNode answer) {
    var form = Wire.object().put("type", "object");
    var fields = form.putObject("properties");
    if (isFlat(answer)) {
      fields.set(ONLY, field(answer));
      form.putArray("required").add(ONLY);
      return Optional.of(new AnswerForm(form, false));
    }
    if (!Wire.text(answer, "type").equals("object") || answer.path("properties").isEmpty()) {
      return Optional.empty();
    }
    for (var property : answer.path("properties").properties()) {
      if (!isFlat(property.getValue())) return Optional.empty();
      fields.set(property.getKey(), field(property.getValue()));
    }
    form.set("required", answer.path("required").isArray() ? answer.path("required") : list());
    return Optional.of(new AnswerForm(form, true));
  }

  private static JsonNode list() {
    return Wire.object().putArray("required");
  }

  private static boolean isFlat(JsonNode schema) {
    return FLAT.contains(type(schema));
  }

  /// The type of a field that may be left out is a list with `null`.
  private static String type(JsonNode schema) {
    var type = schema.path("type");
    boolean isOptional = type.size() == 2 && type.path(1).asString("").equals("null");
    return isOptional ? type.path(0).asString("") : Wire.text(schema, "type");
  }

  private static ObjectNode field(JsonNode schema) {
    var field = Wire.object();
    for (var entry : schema.properties()) {
      if (KEPT.contains(entry.getKey())) field.set(entry.getKey(), entry.getValue());
    }
    return field.put("type", type(schema));
  }

  /// The answer of what a person filled in.
  Json answer(JsonNode content) {
    var answer = isWhole ? content : content.path(ONLY);
    return answer.isMissingNode() ? Json.ofNull() : Wire.json(answer);
  }
}
