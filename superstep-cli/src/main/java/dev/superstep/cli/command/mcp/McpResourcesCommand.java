package dev.superstep.cli.command.mcp;

import dev.superstep.cli.host.Host;
import dev.superstep.cli.mcp.OffersRun;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `superstep mcp resources`.
@Command(
    name = "resources",
    header = "Lists the resources of MCP servers, and the templates of such.",
    footer = {"  superstep mcp resources", "  superstep mcp resources desk --server notes --json"})
final class McpResourcesCommand extends McpCommand {
  @Parameters(
      paramLabel = "FOLDER",
      arity = "0..1",
      defaultValue = HERE,
      showDefaultValue = picocli.CommandLine.Help.Visibility.NEVER,
      description = FOLDER)
  private String folder = HERE;

  @Option(names = "--server", paramLabel = "NAME", description = "Only this server.")
  private @Nullable String server;

  @Option(names = "--json", description = "Write JSON, one object per line. Never asks.")
  private boolean json;

  McpResourcesCommand(Host host) {
    super(host);
  }

  @Override
  public Integer call() throws InterruptedException {
    try (var run = OffersRun.of(host, folder, json)) {
      return run.resources(Optional.ofNullable(server));
    }
  }
}
