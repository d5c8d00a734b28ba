package dev.superstep.cli.command.mcp;

import dev.superstep.cli.host.Host;
import dev.superstep.cli.mcp.OffersRun;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/// `superstep mcp read`.
@Command(
    name = "read",
    header = "Prints a resource of an MCP server.",
    footer = {"  superstep mcp read notes file:///notes/today.md"})
final class McpReadCommand extends McpCommand {
  @Parameters(index = "0", paramLabel = "SERVER", description = "The name of the server.")
  private String server = "";

  @Parameters(index = "1", paramLabel = "URI", description = "As `resources` lists it.")
  private String uri = "";

  @Parameters(
      index = "2",
      paramLabel = "FOLDER",
      arity = "0..1",
      defaultValue = HERE,
      showDefaultValue = picocli.CommandLine.Help.Visibility.NEVER,
      description = FOLDER)
  private String folder = HERE;

  McpReadCommand(Host host) {
    super(host);
  }

  @Override
  public Integer call() throws InterruptedException {
    try (var run = OffersRun.of(host, folder, false)) {
      return run.read(server, uri);
    }
  }
}
