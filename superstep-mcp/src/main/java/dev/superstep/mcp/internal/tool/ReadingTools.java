package dev.superstep.mcp.internal.tool;

import dev.superstep.message.Content;
import dev.superstep.schema.Description;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolPolicy;
import dev.superstep.tool.ToolResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Tools by which models read the resources and prompts of a server.
public final class ReadingTools {
  private static final ToolPolicy READS = ToolPolicy.readOnly();

  private ReadingTools() {}

  /// No arguments.
  record Nothing() {}

  /// Arguments of the tool that reads a resource.
  record Uri(@Description("As it is listed, or made by a template.") String uri) {}

  /// Arguments of the tool that gets a prompt.
  record Prompt(String name, Map<String, String> arguments) {}

  /// Reads what a server offers beside its tools.
  public interface Reader {
    /// The resources and their templates, as a text.
    String resources() throws InterruptedException;

    /// The contents of a resource.
    List<Content> read(String uri) throws InterruptedException;

    /// The prompts, as a text.
    String prompts() throws InterruptedException;

    /// The contents of a prompt.
    List<Content> prompt(String name, Map<String, String> arguments) throws InterruptedException;
  }

  /// The tools that a server offers.
  public static List<Tool> of(
      String server, Reader reader, boolean hasResources, boolean hasPrompts) {
    var prefix = ToolNames.snake(server) + "_";
    var tools = new ArrayList<Tool>();
    if (hasResources) {
      tools.add(
          Tool.of(
                  prefix + "list_resources",
                  "Lists what can be read at the MCP server `" + server + "`.",
                  Nothing.class,
                  (_, _) -> reader.resources())
              .withPolicy(READS));
      tools.add(
          Tool.of(
                  prefix + "read_resource",
                  "Reads a resource of the MCP server `" + server + "`.",
                  Uri.class,
                  (asked, _) -> ToolResult.of(reader.read(asked.uri())))
              .withPolicy(READS));
    }
    if (hasPrompts) {
      tools.add(
          Tool.of(
                  prefix + "list_prompts",
                  "Lists the prompts of the MCP server `" + server + "`.",
                  Nothing.class,
                  (_, _) -> reader.prompts())
              .withPolicy(READS));
      tools.add(
          Tool.of(
                  prefix + "get_prompt",
                  "Gets a prompt of the MCP server `" + server + "` with its arguments.",
                  Prompt.class,
                  (asked, _) -> ToolResult.of(reader.prompt(asked.name(), asked.arguments())))
              .withPolicy(READS));
    }
    return List.copyOf(tools);
  }
}
