package dev.superstep.mcp;

import dev.superstep.mcp.internal.wire.Wire;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import tools.jackson.databind.JsonNode;

/// Reads the lists of a server, page by page. Immutable.
final class ServerLists {
  private static final int TEXT_MAX = 4_000;

  private final McpServer server;
  private final Requests requests;

  /// Sends a request that is no call of a tool.
  interface Requests {
    JsonNode send(String method, tools.jackson.databind.node.ObjectNode params)
        throws InterruptedException;
  }

  ServerLists(McpServer server, Requests requests) {
    this.server = server;
    this.requests = requests;
  }

  /// All entries of a list.
  ///
  /// @param field in which the result has them
  /// @throws McpFailed.Misbehaved if there are too many, or no end of pages
  List<JsonNode> all(String method, String field) throws InterruptedException {
    var limits = server.limits();
    var all = new ArrayList<JsonNode>();
    var cursors = new HashSet<String>();
    var cursor = "";
    for (int page = 0; page < limits.pages(); page++) {
      var params = Wire.object();
      if (!cursor.isEmpty()) params.put("cursor", cursor);
      var result = requests.send(method, params);
      for (var one : result.path(field)) {
        if (all.size() == limits.tools()) {
          throw misbehaved("lists more than %d %s.".formatted(limits.tools(), field));
        }
        all.add(one);
      }
      var next = result.path("nextCursor");
      if (!next.isString() || next.asString().isEmpty()) return List.copyOf(all);
      cursor = next.asString();
      if (!cursors.add(cursor))
        throw misbehaved("lists the same page of %s twice.".formatted(field));
    }
    throw misbehaved("lists more than %d pages of %s.".formatted(limits.pages(), field));
  }

  private McpFailed misbehaved(String how) {
    return new McpFailed.Misbehaved(server.name(), how);
  }

  List<McpResource> resources() throws InterruptedException {
    var all = new ArrayList<McpResource>();
    for (var one : all("resources/list", "resources")) all.add(resource(one, "uri", false));
    return List.copyOf(all);
  }

  List<McpResource> templates() throws InterruptedException {
    var all = new ArrayList<McpResource>();
    for (var one : all("resources/templates/list", "resourceTemplates")) {
      all.add(resource(one, "uriTemplate", true));
    }
    return List.copyOf(all);
  }

  private static McpResource resource(JsonNode one, String address, boolean isTemplate) {
    return new McpResource(
        Wire.text(one, address),
        cut(one, "name"),
        cut(one, "description"),
        cut(one, "mimeType"),
        isTemplate);
  }

  List<McpPrompt> prompts() throws InterruptedException {
    var all = new ArrayList<McpPrompt>();
    for (var one : all("prompts/list", "prompts")) {
      var arguments = new ArrayList<McpPrompt.Argument>();
      for (var argument : one.path("arguments")) {
        boolean isRequired = argument.path("required").asBoolean(false);
        arguments.add(
            new McpPrompt.Argument(
                Wire.text(argument, "name"), cut(argument, "description"), isRequired));
      }
      all.add(new McpPrompt(Wire.text(one, "name"), cut(one, "description"), arguments));
    }
    return List.copyOf(all);
  }

  private static String cut(JsonNode one, String field) {
    return McpSession.cut(Wire.text(one, field), TEXT_MAX);
  }
}
