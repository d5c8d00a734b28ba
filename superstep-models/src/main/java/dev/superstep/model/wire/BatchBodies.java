package dev.superstep.model.wire;

import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ModelException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Writes the bodies of requests that are sent in a batch, and reads those of their replies.
/// Immutable.
public record BatchBodies(Endpoint endpoint, Protocol protocol) {
  /// The body of a request.
  ///
  /// @throws ModelException BAD_REQUEST if the protocol cannot express it
  public ObjectNode body(ChatRequest request) {
    if (!protocol.headers(request).isEmpty()) {
      throw endpoint.refused(
          protocol.title(),
          "it takes no unfinished features (betas) in a batch from here; ask without a batch");
    }
    return protocol.body(AcceptedRequest.of(request).request(), endpoint);
  }

  /// The reply to a request.
  ///
  /// @throws ModelException if the body is an error, or no reply
  public ChatReply reply(ChatRequest request, String body) throws InterruptedException {
    try (var wire = new Wire(endpoint, protocol.title(), TimeLimits.of(request, false));
        var meter = new ReplyMeter(endpoint.limits(), ReplyMemory.PROCESS, wire::tooLarge)) {
      var accepted = AcceptedRequest.of(request);
      var reader = new ReplyReader(wire, protocol, meter, accepted, _ -> {});
      reader.whole(body);
      return reader.reply();
    }
  }

  /// The kind of an error that the vendor sent for a request of a batch.
  public ModelException.Kind kind(int status, JsonNode error) {
    return Refusals.kindOf(status, error);
  }

  /// The error for an answer of the vendor that is none.
  public ModelException error(ModelException.Kind kind, String what) {
    try (var wire = wire()) {
      return wire.error(kind, what);
    }
  }

  /// The error for a status of the vendor.
  public ModelException refusal(int status, java.net.http.HttpHeaders headers, String body) {
    try (var wire = wire()) {
      return Refusals.of(wire, status, headers, body);
    }
  }

  private Wire wire() {
    var anything = ChatRequest.of(dev.superstep.message.Message.user("batch"));
    return new Wire(endpoint, protocol.title(), TimeLimits.of(anything, false));
  }
}
