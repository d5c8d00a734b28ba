package dev.superstep.mcp;

import dev.superstep.json.Json;
import dev.superstep.json.SuperstepException;
import dev.superstep.mcp.internal.tool.ParamHeaders;
import dev.superstep.mcp.internal.tool.SchemaCheck;
import dev.superstep.mcp.internal.tool.ToolNames;
import dev.superstep.mcp.internal.wire.Wire;
import dev.superstep.node.Question;
import dev.superstep.schema.JsonSchema;
import dev.superstep.tool.SideEffect;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolError;
import dev.superstep.tool.ToolHandler;
import dev.superstep.tool.ToolPolicy;
import dev.superstep.tool.ToolResult;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;

/// The tools of a server as they are told, and as tools for agents. Immutable.
///
/// @param byName by the names that the server gives them
/// @param skipped why others are left out
/// @param tasks the names of those that are called as tasks
record ServerTools(Map<String, McpTool> byName, List<String> skipped, Set<String> tasks) {
  private static final int NAME_MAX = 200;
  private static final Optional<String> ONLY_AS_TASK =
      Optional.of("it runs only as a task: see McpServer.tasks");

  /// The facts of a connection that matter for its tools.
  ///
  /// @param hasTasks whether the server says of its tools whether they are tasks
  /// @param hasHeaders whether arguments are repeated in headers
  record Facts(boolean hasTasks, boolean hasHeaders) {}

  /// Reads a list; what cannot be used is left out.
  ///
  /// @param facts of the connection
  static ServerTools of(McpServer server, List<JsonNode> told, Facts facts) {
    var tasks = new HashSet<String>();
    var tools = new LinkedHashMap<String, McpTool>();
    var skipped = new ArrayList<String>();
    for (var one : told) {
      var name = Wire.text(one, "name");
      if (!server.takes(name)) continue;
      Optional<String> problem =
          tools.containsKey(name) ? Optional.of("it is twice") : problem(server, one);
      var support = facts.hasTasks() ? Wire.text(one.path("execution"), "taskSupport") : "";
      if (problem.isEmpty() && facts.hasHeaders()) {
        problem = ParamHeaders.problem(one.path("inputSchema"));
      }
      boolean isTask = support.equals("required") || support.equals("optional");
      if (isTask && server.keep() != null) tasks.add(name);
      else if (problem.isEmpty() && support.equals("required")) problem = ONLY_AS_TASK;
      if (problem.isPresent()) skipped.add(ToolError.quote(name) + ": " + problem.get());
      else tools.put(name, McpTool.of(one));
    }
    return new ServerTools(
        java.util.Collections.unmodifiableMap(tools), List.copyOf(skipped), Set.copyOf(tasks));
  }

  private static Optional<String> problem(McpServer server, JsonNode told) {
    var name = Wire.text(told, "name");
    if (name.isBlank() || name.length() > NAME_MAX) return Optional.of("its name is unusable");
    int length = Wire.write(told).length();
    if (length > server.limits().definitionCharacters()) {
      return Optional.of("its definition has %d characters".formatted(length));
    }
    var problem = SchemaCheck.problem(told.path("inputSchema"));
    if (problem.isPresent()) return problem;
    try {
      JsonSchema.parse(Wire.json(told.path("inputSchema")));
      return Optional.empty();
    } catch (SuperstepException | StackOverflowError e) {
      return Optional.of("its schema is none");
    }
  }

  /// The tools for agents. The first tools of a server are approved as they are.
  ///
  /// @param calls makes the code of a tool by the name that the server gives it
  /// @param questions that the tools may ask
  List<Tool> bound(
      McpServer server, Function<String, ToolHandler<Json>> calls, Question<?, ?>... questions) {
    var pins = server.pins();
    boolean isFirst = !pins.knows(server.name());
    var names = new ToolNames(server.name());
    var tools = new ArrayList<Tool>();
    for (var one : byName.values()) {
      if (isFirst) pins.approve(server.name(), one.name(), one.definition());
      var tool =
          bound(one, names.next(one.name()), server, calls.apply(one.name()))
              .withQuestions(questions);
      boolean isTask = server.isStateless() || tasks.contains(one.name());
      var keep = server.keep();
      tools.add(isTask && keep != null ? tool.withTimeout(keep) : tool);
    }
    return List.copyOf(tools);
  }

  /// The tools by the names that models see.
  Map<String, McpTool> named(McpServer server) {
    var names = new ToolNames(server.name());
    var named = new LinkedHashMap<String, McpTool>();
    for (var one : byName.values()) named.put(names.next(one.name()), one);
    return java.util.Collections.unmodifiableMap(named);
  }

  /// The tools that were approved, for programs that call none.
  static List<Tool> unconnected(McpServer server) {
    var names = new ToolNames(server.name());
    var tools = new ArrayList<Tool>();
    for (var definition : server.pins().all(server.name()).values()) {
      var tool = McpTool.of(Wire.tree(definition));
      if (!server.takes(tool.name())) continue;
      var error = ToolResult.error("No MCP server is started here.");
      tools.add(
          shown(tool, names.next(tool.name()), server, Optional.of(tool), (_, _) -> error)
              .withQuestions(McpQuestions.TOOL_CHANGED, McpQuestions.ELICITED));
    }
    return List.copyOf(tools);
  }

  /// A model sees of a tool only what was approved.
  private static Tool bound(
      McpTool offered, String name, McpServer server, ToolHandler<Json> call) {
    var approved = server.pins().approved(server.name(), offered.name());
    var shown = approved.map(json -> McpTool.of(Wire.tree(json)));
    return shown(offered, name, server, shown, call);
  }

  private static Tool shown(
      McpTool offered,
      String name,
      McpServer server,
      Optional<McpTool> shown,
      ToolHandler<Json> call) {
    var description = shown.map(ServerTools::description).orElse(added(server));
    var schema =
        shown
            .map(tool -> Wire.json(SchemaCheck.withoutPatterns(Wire.tree(tool.inputSchema()))))
            .orElse(Json.parse("{\"type\":\"object\"}"));
    var policy = server.policyOf(offered.name()).orElseGet(() -> hinted(server, offered, shown));
    return Tool.of(name, description, JsonSchema.parse(schema), call).withPolicy(policy);
  }

  private static String added(McpServer server) {
    return "A tool that was added to the MCP server `%s` after its tools were approved. A person is"
            .formatted(server.name())
        + " asked before it is used.";
  }

  private static String description(McpTool tool) {
    var text = tool.description().isBlank() ? tool.title() : tool.description();
    return text.isBlank() ? "The tool `" + ToolError.quote(tool.name()) + "`." : text;
  }

  /// By the hints that were approved, not by new ones.
  private static ToolPolicy hinted(McpServer server, McpTool offered, Optional<McpTool> shown) {
    if (!server.isTrusted() || shown.isEmpty()) return ToolPolicy.UNCLASSIFIED;
    if (!shown.get().definition().equals(offered.definition())) return ToolPolicy.UNCLASSIFIED;
    var hints = offered.hints();
    if (hints.readOnly()) return ToolPolicy.readOnly();
    var policy = ToolPolicy.of(effect(hints));
    return hints.idempotent() ? policy.idempotent() : policy;
  }

  private static SideEffect effect(McpTool.Hints hints) {
    if (hints.destructive()) return SideEffect.DESTRUCTIVE;
    return SideEffect.EXTERNAL_SERVICE;
  }
}
