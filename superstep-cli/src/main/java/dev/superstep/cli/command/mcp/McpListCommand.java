package dev.superstep.cli.command.mcp;

import dev.superstep.cli.host.Host;
import dev.superstep.cli.mcp.ServersRun;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `superstep mcp list`.
@Command(
    name = "list",
    header = "Lists the MCP servers for a folder, and starts none.",
    description = {
      "Servers come from [mcp.NAME] in config.toml of the user, then from [mcp.NAME] in",
      "superstep.toml and from .mcp.json of the folder. Of two with one name, the first counts."
    },
    footer = {"  superstep mcp list", "  superstep mcp list desk --json"})
final class McpListCommand extends McpCommand {
  @Parameters(
      paramLabel = "FOLDER",
      arity = "0..1",
      defaultValue = HERE,
      showDefaultValue = picocli.CommandLine.Help.Visibility.NEVER,
      description = FOLDER)
  private String folder = HERE;

  @Option(names = "--json", description = "Write JSON, one object per line.")
  private boolean json;

  McpListCommand(Host host) {
    super(host);
  }

  @Override
  public Integer call() {
    return ServersRun.list(host, folder, json);
  }
}
