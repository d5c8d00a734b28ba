package dev.superstep.server.internal.api;

import dev.superstep.server.internal.http.Call;
import dev.superstep.server.internal.http.Fields;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Whole numbers in the query of a request, as the fields of an object.
final class QueryFields {
  private QueryFields() {}

  static ObjectNode of(Call call, String... names) {
    var fields = JsonNodeFactory.instance.objectNode();
    for (var name : names) {
      var text = call.query(name);
      if (text.isEmpty()) continue;
      try {
        fields.put(name, Integer.parseInt(text.get()));
      } catch (NumberFormatException _) {
        throw Fields.bad(name, "must be a whole number");
      }
    }
    return fields;
  }
}
