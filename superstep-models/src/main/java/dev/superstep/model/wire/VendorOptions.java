package dev.superstep.model.wire;

import dev.superstep.json.Json;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// Lays a caller's own fields over a request: objects are merged, anything else takes the place of
/// what was there.
final class VendorOptions {
  private final Protocol protocol;
  private final Endpoint endpoint;

  private VendorOptions(Protocol protocol, Endpoint endpoint) {
    this.protocol = protocol;
    this.endpoint = endpoint;
  }

  static void lay(Json options, ObjectNode body, Protocol protocol, Endpoint endpoint) {
    var laying = new VendorOptions(protocol, endpoint);
    laying.over(body, laying.object(options), "");
  }

  private ObjectNode object(Json options) {
    try {
      if (JsonMapper.shared().readTree(options.text()) instanceof ObjectNode object) return object;
    } catch (JacksonException _) {
      // Falls through: no object.
    }
    throw endpoint.refused(protocol.title(), "its vendor options are not a JSON object");
  }

  private void over(ObjectNode body, JsonNode options, String path) {
    for (var option : options.properties()) {
      var name = path + option.getKey();
      if (protocol.reserved().contains(name)) {
        throw endpoint.refused(
            protocol.title(),
            "the vendor option `%s` is set by a method of the request".formatted(name));
      }
      if (option.getValue().isObject() && body.get(option.getKey()) instanceof ObjectNode inner) {
        over(inner, option.getValue(), name + ".");
      } else if (option.getValue().isObject()) {
        // Checked too: an object that is new may hold fields that have methods.
        over(body.putObject(option.getKey()), option.getValue(), name + ".");
      } else {
        body.set(option.getKey(), option.getValue());
      }
    }
  }
}
