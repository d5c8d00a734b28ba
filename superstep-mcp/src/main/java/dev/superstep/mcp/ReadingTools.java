package dev.superstep.mcp;

import dev.superstep.schema.Description;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolPolicy;
import dev.superstep.tool.ToolResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// Tools by which models read the resources and prompts of a server.
final class ReadingTools {
  private static final ToolPolicy READS = ToolPolicy.readOnly();

  private ReadingTools() {}

  /// No arguments.
  record Nothing() {}

  /// Arguments of the tool that reads a resource.
  record Uri(@Description("As it is listed, or made by a template.") String uri) {}

  /// Arguments of the tool that gets a prompt.
  record Prompt(String name, Map<String, String> arguments) {}

  static List<Tool> of(
      String server, McpConnection connection, boolean hasResources, boolean hasPrompts) {
    var prefix = ToolNames.snake(server) + "_";
    var tools = new ArrayList<Tool>();
    if (hasResources) {
      tools.add(
          Tool.of(
                  prefix + "list_resources",
                  "Lists what can be read at the MCP server `" + server + "`.",
                  Nothing.class,
                  (_, _) -> listed(connection))
              .withPolicy(READS));
      tools.add(
          Tool.of(
                  prefix + "read_resource",
                  "Reads a resource of the MCP server `" + server + "`.",
                  Uri.class,
                  (asked, _) -> ToolResult.of(connection.read(asked.uri())))
              .withPolicy(READS));
    }
    if (hasPrompts) {
      tools.add(
          Tool.of(
                  prefix + "list_prompts",
                  "Lists the prompts of the MCP server `" + server + "`.",
                  Nothing.class,
                  (_, _) -> prompts(connection))
              .withPolicy(READS));
      tools.add(
          Tool.of(
                  prefix + "get_prompt",
                  "Gets a prompt of the MCP server `" + server + "` with its arguments.",
                  Prompt.class,
                  (asked, _) -> prompt(asked, connection))
              .withPolicy(READS));
    }
    return List.copyOf(tools);
  }

  private static String listed(McpConnection connection) throws InterruptedException {
    var all = new ArrayList<>(connection.resources());
    all.addAll(connection.resourceTemplates());
    if (all.isEmpty()) return "There are none.";
    return all.stream()
        .map(one -> "- " + one.uri() + " " + one.name() + ": " + one.description())
        .collect(Collectors.joining("\n"));
  }

  private static String prompts(McpConnection connection) throws InterruptedException {
    var all = connection.prompts();
    if (all.isEmpty()) return "There are none.";
    return all.stream()
        .map(one -> "- " + one.name() + one.arguments() + ": " + one.description())
        .collect(Collectors.joining("\n"));
  }

  private static ToolResult prompt(Prompt asked, McpConnection connection)
      throws InterruptedException {
    var lines = connection.prompt(asked.name(), asked.arguments());
    return ToolResult.of(lines.stream().map(McpPrompt.Line::content).toList());
  }
}
