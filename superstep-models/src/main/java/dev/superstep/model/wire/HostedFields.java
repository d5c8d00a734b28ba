package dev.superstep.model.wire;

import dev.superstep.model.ChatRequest;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Adds the fields that tools at the vendor need to a request. They are arrays, to which each tool
/// adds.
final class HostedFields {
  private HostedFields() {}

  static void lay(ChatRequest request, ObjectNode body, Protocol protocol, Endpoint endpoint) {
    for (var tool : request.hostedTools(endpoint.ref().provider())) {
      if (tool.fields().isEmpty()) continue;
      for (var field : Turns.read(tool.fields().get()).properties()) {
        add(field.getKey(), field.getValue(), body, protocol, endpoint);
      }
    }
  }

  private static void add(
      String name, JsonNode value, ObjectNode body, Protocol protocol, Endpoint endpoint) {
    var known = body.get(name);
    boolean isReserved = protocol.reserved().contains(name);
    boolean fits = value.isArray() && (known == null || known.isArray()) && !isReserved;
    if (!fits) {
      throw endpoint.refused(
          protocol.title(),
          "the field `%s` of a hosted tool must be an array that no method of the request sets"
              .formatted(name));
    }
    var array = known instanceof ArrayNode old ? old : body.putArray(name);
    for (var item : value) array.add(item);
  }
}
