package dev.superstep.mcp;

import dev.superstep.json.Json;
import dev.superstep.mcp.internal.question.ElicitationForm;
import dev.superstep.mcp.internal.session.ServerRequests;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Something that a server asks a person in the middle of a call: values for a form, or to visit a
/// page. Its text comes from the server, which may be hostile: show whose it is.
///
/// @param server the name of the server
/// @param message for the person
/// @param schema of the values, for a form: an object with flat properties
/// @param url of the page, if it is one
public record McpElicitation(
    String server, String message, Optional<Json> schema, Optional<String> url) {
  /// The question in a request of a server.
  ///
  /// @throws ServerRequests.Rejected if it is none that a person could answer
  static McpElicitation read(String server, JsonNode params) throws ServerRequests.Rejected {
    var form = ElicitationForm.read(params);
    return new McpElicitation(server, form.message(), form.schema(), form.url());
  }

  private ElicitationForm form() {
    return new ElicitationForm(message, schema, url);
  }

  /// The answer as the server gets it.
  ObjectNode reply(McpAnswer answer) {
    return form().reply(answer.action().name(), answer.content());
  }

  /// The faults of an answer, if it has any.
  List<String> problems(McpAnswer answer) {
    boolean isAccepted = answer.action() == McpAnswer.Action.ACCEPT;
    return isAccepted ? form().problems(answer.content()) : List.of();
  }
}
