package dev.superstep.model.wire;

import dev.superstep.model.ChatRequest;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The protocol of a vendor: it writes a request and reads a reply as JSON. A client library of
/// some kind sends and receives both. Implementations are immutable.
public interface Protocol {
  /// The vendor's name, to begin a sentence with.
  String title();

  /// The body of a request, without the fields that request a stream.
  ///
  /// @throws dev.superstep.model.ModelException BAD_REQUEST if the protocol cannot express the
  ///   request
  ObjectNode write(ChatRequest request, Endpoint endpoint);

  /// The fields that callers may not set, because a request has methods for them or for other
  /// reasons. Nested ones are paths, joined by dots.
  Set<String> reserved();

  /// Returns whether this model may be sent tools whose definitions its vendor withholds until a
  /// search finds them.
  default boolean defersTools(String model) {
    return false;
  }

  /// The headers that a request needs beside those of every request.
  default Map<String, String> headers(ChatRequest request) {
    return Map.of();
  }

  /// Reads a whole reply, or a part of one that is streamed.
  void read(JsonNode reply, Draft into);

  /// Returns the vendor's error, if this reply or part of one is an error.
  default Optional<JsonNode> error(JsonNode reply) {
    return reply.hasNonNull("error") ? Optional.of(reply.get("error")) : Optional.empty();
  }

  /// The body of a request with the caller's own fields added.
  ///
  /// @throws dev.superstep.model.ModelException BAD_REQUEST if the protocol cannot express the
  ///   request, or if the request has a method for a field of the caller's
  default ObjectNode body(ChatRequest request, Endpoint endpoint) {
    if (request.tools().stream().anyMatch(request::isDeferred) && !defersTools(endpoint.model())) {
      throw endpoint.refused(
          title(),
          "it has no search of its own for tools with this model; use `ToolSearch` without"
              + " `byVendor()`, or another model");
    }
    var body = write(request, endpoint);
    HostedFields.lay(request, body, this, endpoint);
    request.vendorOptions().ifPresent(options -> VendorOptions.lay(options, body, this, endpoint));
    return body;
  }
}
