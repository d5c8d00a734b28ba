package dev.superstep.mcp;

import dev.superstep.json.SuperstepException;
import dev.superstep.mcp.internal.wire.Wire;
import dev.superstep.schema.JsonSchema;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Reads what servers ask people, and checks what people answer.
final class ElicitationForms {
  private static final Set<String> TYPES =
      Set.of("string", "number", "integer", "boolean", "array");
  private static final int MESSAGE_MAX = 10_000;
  private static final int FIELDS_MAX = 50;

  private ElicitationForms() {}

  /// The question in a request of a server.
  ///
  /// @throws ServerRequests.Rejected if it is none that a person could answer
  static McpElicitation read(String server, JsonNode params) throws ServerRequests.Rejected {
    var message = McpSession.cut(Wire.text(params, "message"), MESSAGE_MAX);
    if (Wire.text(params, "mode").equals("url")) {
      var url = Wire.text(params, "url");
      if (!url.matches("https?://[!-~]{1,2000}")) throw bad("the address cannot be visited");
      return new McpElicitation(server, message, Optional.empty(), Optional.of(url));
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
    return new McpElicitation(server, message, Optional.of(safe), Optional.empty());
  }

  private static ServerRequests.Rejected bad(String why) {
    return new ServerRequests.Rejected(ServerRequests.INVALID_PARAMS, why);
  }

  /// The answer as the server gets it: values that were left out have the defaults of the form.
  static ObjectNode reply(McpElicitation asked, McpAnswer answer) {
    var reply = Wire.object();
    reply.put("action", answer.action().name().toLowerCase(java.util.Locale.ROOT));
    if (answer.action() == McpAnswer.Action.ACCEPT && asked.schema().isPresent()) {
      reply.set("content", values(asked, answer));
    }
    return reply;
  }

  private static ObjectNode values(McpElicitation asked, McpAnswer answer) {
    var given = answer.content().map(Wire::tree).orElseGet(Wire::object);
    var values = given instanceof ObjectNode object ? object : Wire.object();
    if (asked.schema().isPresent()) {
      for (var field : Wire.tree(asked.schema().get()).path("properties").properties()) {
        var usual = field.getValue().get("default");
        if (usual != null && !values.has(field.getKey())) values.set(field.getKey(), usual);
      }
    }
    return values;
  }

  /// The faults of an answer, if it has any.
  static List<String> problems(McpElicitation asked, McpAnswer answer) {
    if (answer.action() != McpAnswer.Action.ACCEPT || asked.schema().isEmpty()) return List.of();
    try {
      var values = Wire.json(values(asked, answer));
      return JsonSchema.parse(asked.schema().get()).check(values).stream()
          .map(violation -> violation.sentence())
          .toList();
    } catch (SuperstepException e) {
      return List.of(String.valueOf(e.getMessage()));
    }
  }
}
