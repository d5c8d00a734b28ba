package dev.superstep.a2a.server;

import dev.superstep.a2a.internal.Trees;
import dev.superstep.server.graph.ServedGraph;
import tools.jackson.databind.node.ObjectNode;

/// The cards by which agents are found.
final class AgentCard {
  /// The path of the HTTP+JSON binding below that of the JSON-RPC binding.
  static final String REST = "/v1";

  private AgentCard() {}

  /// The card of a graph.
  ///
  /// @param url of its JSON-RPC endpoint
  static ObjectNode of(ServedGraph graph, String url, boolean pushes) {
    var description = graph.description().isEmpty() ? graph.id() : graph.description();
    var card = Trees.object().put("name", graph.id()).put("description", description);
    // The first one is preferred.
    var interfaces = card.putArray("supportedInterfaces");
    interfaces.addObject().put("url", url).put("protocolBinding", "JSONRPC");
    interfaces.addObject().put("url", url + REST).put("protocolBinding", "HTTP+JSON");
    for (var one : interfaces) ((ObjectNode) one).put("protocolVersion", "1.0");
    card.put("version", "1.0.0");
    var can = card.putObject("capabilities").put("streaming", true);
    can.put("pushNotifications", pushes).put("extendedAgentCard", false);
    card.putArray("defaultInputModes").add("text/plain").add("application/json");
    card.putArray("defaultOutputModes").add("text/plain").add("application/json");
    var skill = card.putArray("skills").addObject().put("id", graph.id());
    skill.put("name", graph.id()).put("description", description);
    skill.putArray("tags").add("agent");
    var schemes = card.putObject("securitySchemes");
    schemes
        .putObject("key")
        .putObject("apiKeySecurityScheme")
        .put("location", "header")
        .put("name", "x-api-key");
    schemes.putObject("bearer").putObject("httpAuthSecurityScheme").put("scheme", "Bearer");
    return card;
  }
}
