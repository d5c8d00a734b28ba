package dev.superstep.model.vendor;

import dev.superstep.model.wire.Exchange;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// The part of a vendor's request that is the same for every call: where it goes, how it shows its
/// key, how it asks for a stream. Immutable.
///
/// @param body fields beside those that the protocol writes
record Envelope(String url, Map<String, List<String>> headers, Map<String, JsonNode> body) {
  private static final String AGENT = "superstep";

  Envelope {
    headers = Map.copyOf(headers);
    body = Map.copyOf(body);
  }

  /// A request without a key.
  static Envelope to(String url) {
    return new Envelope(
        url,
        Map.of("Content-Type", List.of("application/json"), "User-Agent", List.of(AGENT)),
        Map.of());
  }

  Envelope header(String name, String value) {
    var all = new LinkedHashMap<>(headers);
    all.put(name, List.of(value));
    return new Envelope(url, all, body);
  }

  Envelope field(String name, JsonNode value) {
    var all = new LinkedHashMap<>(body);
    all.put(name, value);
    return new Envelope(url, headers, all);
  }

  /// Sends a request in this envelope, and reads the whole reply.
  ///
  /// @return never, as [Exchange#send]
  Exchange.Over send(Exchange exchange) {
    ObjectNode whole = JsonMapper.shared().createObjectNode();
    whole.setAll(body);
    whole.setAll(exchange.body());
    return exchange.send(url, headers, whole.toString());
  }
}
