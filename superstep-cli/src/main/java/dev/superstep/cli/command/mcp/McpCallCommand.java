package dev.superstep.cli.command.mcp;

import dev.superstep.cli.host.Host;
import dev.superstep.cli.mcp.OffersRun;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `superstep mcp call`.
@Command(
    name = "call",
    header = "Calls a tool of an MCP server.",
    description = {
      "You approve the call by typing it; a tool that has changed since it was approved is not",
      "called. Exit code 4 if the tool says that it failed."
    },
    footer = {"  superstep mcp call files_list_directory --arguments '{\"path\": \".\"}'"})
final class McpCallCommand extends McpCommand {
  @Parameters(
      index = "0",
      paramLabel = "TOOL",
      description = "Its name as models see it, such as files_read_text_file.")
  private String tool = "";

  @Parameters(
      index = "1",
      paramLabel = "FOLDER",
      arity = "0..1",
      defaultValue = HERE,
      showDefaultValue = picocli.CommandLine.Help.Visibility.NEVER,
      description = FOLDER)
  private String folder = HERE;

  @Option(
      names = "--arguments",
      paramLabel = "JSON",
      defaultValue = "{}",
      description = "An object with its arguments (default: ${DEFAULT-VALUE}).")
  private String arguments = "{}";

  @Option(names = "--json", description = "Write JSON, one object per line. Never asks.")
  private boolean json;

  McpCallCommand(Host host) {
    super(host);
  }

  @Override
  public Integer call() throws InterruptedException {
    try (var run = OffersRun.of(host, folder, json)) {
      return run.call(tool, arguments);
    }
  }
}
