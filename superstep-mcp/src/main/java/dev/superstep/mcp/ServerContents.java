package dev.superstep.mcp;

import dev.superstep.mcp.internal.session.PagedLists;
import dev.superstep.mcp.internal.tool.ReadingTools;
import dev.superstep.mcp.internal.tool.ResultContent;
import dev.superstep.mcp.internal.transport.RequestFailed;
import dev.superstep.mcp.internal.wire.Wire;
import dev.superstep.message.Content;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The resources, prompts and completions of a server. Safe for many threads.
record ServerContents(
    String server, PagedLists lists, PagedLists.Requests requests, ResultContent content)
    implements ReadingTools.Reader {
  private static final int TEXT_MAX = 4_000;
  private static final int VALUES_MAX = 100;

  private JsonNode request(String method, ObjectNode params) throws InterruptedException {
    try {
      return requests.send(method, params);
    } catch (RequestFailed e) {
      throw McpFailed.of(server, e);
    }
  }

  private List<JsonNode> all(String method, String field) throws InterruptedException {
    try {
      return lists.all(method, field);
    } catch (RequestFailed e) {
      throw McpFailed.of(server, e);
    }
  }

  List<McpResource> listed() throws InterruptedException {
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

  @Override
  public List<Content> read(String uri) throws InterruptedException {
    var params = Wire.object();
    params.put("uri", uri);
    var parts = new ArrayList<Content>();
    for (var one : request("resources/read", params).path("contents")) {
      if (parts.size() < lists.entriesMax()) parts.add(content.resource(one));
    }
    return List.copyOf(parts);
  }

  List<McpPrompt> offered() throws InterruptedException {
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
    return Wire.cut(Wire.text(one, field), TEXT_MAX);
  }

  List<McpPrompt.Line> lines(String name, Map<String, String> arguments)
      throws InterruptedException {
    var params = Wire.object();
    params.put("name", name);
    var given = params.putObject("arguments");
    arguments.forEach(given::put);
    var lines = new ArrayList<McpPrompt.Line>();
    for (var one : request("prompts/get", params).path("messages")) {
      if (lines.size() == lists.entriesMax()) break;
      boolean isOfUser = !Wire.text(one, "role").equals("assistant");
      lines.add(new McpPrompt.Line(isOfUser, content.part(one.path("content"))));
    }
    return List.copyOf(lines);
  }

  McpCompletion complete(ObjectNode reference, String argument, String value)
      throws InterruptedException {
    var params = Wire.object();
    params.set("ref", reference);
    params.putObject("argument").put("name", argument).put("value", value);
    var completion = request("completion/complete", params).path("completion");
    var values = new ArrayList<String>();
    for (var one : completion.path("values")) {
      if (values.size() < VALUES_MAX) values.add(Wire.whole(one.asString("")));
    }
    return new McpCompletion(values, completion.path("hasMore").asBoolean(false));
  }

  @Override
  public String resources() throws InterruptedException {
    var all = new ArrayList<>(listed());
    all.addAll(templates());
    if (all.isEmpty()) return "There are none.";
    return all.stream()
        .map(one -> "- " + one.uri() + " " + one.name() + ": " + one.description())
        .collect(Collectors.joining("\n"));
  }

  @Override
  public String prompts() throws InterruptedException {
    var all = offered();
    if (all.isEmpty()) return "There are none.";
    return all.stream()
        .map(one -> "- " + one.name() + one.arguments() + ": " + one.description())
        .collect(Collectors.joining("\n"));
  }

  @Override
  public List<Content> prompt(String name, Map<String, String> arguments)
      throws InterruptedException {
    return lines(name, arguments).stream().map(McpPrompt.Line::content).toList();
  }
}
