package dev.superstep.cli.command.mcp;

import dev.superstep.cli.host.Host;
import dev.superstep.cli.mcp.ServersRun;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `superstep mcp untrust`.
@Command(
    name = "untrust",
    header = "Ends confirmations of MCP servers that a folder names.",
    footer = {"  superstep mcp untrust", "  superstep mcp untrust desk --server files"})
final class McpUntrustCommand extends McpCommand {
  @Parameters(
      paramLabel = "FOLDER",
      arity = "0..1",
      defaultValue = HERE,
      showDefaultValue = picocli.CommandLine.Help.Visibility.NEVER,
      description = FOLDER)
  private String folder = HERE;

  @Option(names = "--server", paramLabel = "NAME", description = "Only this server.")
  private @Nullable String server;

  McpUntrustCommand(Host host) {
    super(host);
  }

  @Override
  public Integer call() {
    return ServersRun.untrust(host, folder, Optional.ofNullable(server));
  }
}
