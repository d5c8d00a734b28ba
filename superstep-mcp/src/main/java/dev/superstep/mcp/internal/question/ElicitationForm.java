package dev.superstep.mcp.internal.question;

import dev.superstep.json.Json;
import dev.superstep.json.SuperstepException;
import dev.superstep.mcp.internal.session.ServerRequests;
import dev.superstep.mcp.internal.tool.SchemaCheck;
import dev.superstep.mcp.internal.wire.Wire;
import dev.superstep.schema.JsonSchema;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A question of a server to a person: a form, or a page to visit. Immutable.
///
/// @param schema of the values of a form
/// @param url of a page
public record ElicitationForm(String message, Optional<Json> schema, Optional<String> url) {
  private static final Set<String> TYPES =
      Set.of("string", "number", "integer", "boolean", "array");
  private static final String ACCEPT = "accept";
  private static final int MESSAGE_MAX = 10_000;
  private static final int FIELDS_MAX = 50;

  /// The question in a request of a server.
  ///
  /// @throws ServerRequests.Rejected if it is none that a person could answer
  public static ElicitationForm read(JsonNode params) throws ServerRequests.Rejected {
    var message = Wire.cut(Wire.text(params, "message"), MESSAGE_MAX);
    if (Wire.text(params, "mode").equals("url")) {
      var url = Wire.text(params, "url");
      if (!url.matches("https?://[!-~]{1,2000}")) throw bad("the address cannot be visited");
      return new ElicitationForm(message, Optional.empty(), Optional.of(url));
    }
    var schema = params.path("requestedSchema");
    var properties = schema.path("properties");
    if (!properties.isObject() || properties.size() > FIELDS_MAX) {
      throw bad("requestedSchema must have at most " + FIELDS_MAX + " properties");
    }
    for (var property : properties) {
      if (!TYPES.contains(property.path("type").asString("string"))) {
        throw bad("requestedSchema must be flat");
      }
    }
    var problem = SchemaCheck.problem(schema);
    if (problem.isPresent()) throw bad(problem.get());
    var safe = Wire.json(SchemaCheck.withoutPatterns(schema));
    return new ElicitationForm(message, Optional.of(safe), Optional.empty());
  }

  private static ServerRequests.Rejected bad(String why) {
    return new ServerRequests.Rejected(ServerRequests.INVALID_PARAMS, why);
  }

  /// The answer as the server gets it: values that were left out have the defaults of the form.
  ///
  /// @param action the name of a choice
  public ObjectNode reply(String action, Optional<Json> content) {
    var reply = Wire.object();
    var choice = action.toLowerCase(Locale.ROOT);
    reply.put("action", choice);
    if (choice.equals(ACCEPT) && schema.isPresent()) reply.set("content", values(content));
    return reply;
  }

  private ObjectNode values(Optional<Json> content) {
    var given = content.map(Wire::tree).orElseGet(Wire::object);
    var values = given instanceof ObjectNode object ? object : Wire.object();
    if (schema.isPresent()) {
      for (var field : Wire.tree(schema.get()).path("properties").properties()) {
        var usual = field.getValue().get("default");
        if (usual != null && !values.has(field.getKey())) values.set(field.getKey(), usual);
      }
    }
    return values;
  }

  /// The faults of accepted values, if they have any.
  public List<String> problems(Optional<Json> content) {
    if (schema.isEmpty()) return List.of();
    try {
      var values = Wire.json(values(content));
      return JsonSchema.parse(schema.get()).check(values).stream()
          .map(violation -> violation.sentence())
          .toList();
    } catch (SuperstepException e) {
      return List.of(String.valueOf(e.getMessage()));
    }
  }
}
