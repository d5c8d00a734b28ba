package dev.superstep.cli.command.mcp;

import dev.superstep.cli.host.Host;
import dev.superstep.cli.mcp.ServersRun;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `superstep mcp trust`.
@Command(
    name = "trust",
    header = "Shows MCP servers that a folder names, and confirms those that you agree to.",
    description = {
      "Nothing of a server is started or reached before that. A confirmation ends when the",
      "server, the variables that it gets, what it may do, or its code in the folder changes.",
      "Exit code 3 if nobody is there to be asked."
    },
    footer = {"  superstep mcp trust", "  superstep mcp trust desk --server files"})
final class McpTrustCommand extends McpCommand {
  @Parameters(
      paramLabel = "FOLDER",
      arity = "0..1",
      defaultValue = HERE,
      showDefaultValue = picocli.CommandLine.Help.Visibility.NEVER,
      description = FOLDER)
  private String folder = HERE;

  @Option(names = "--server", paramLabel = "NAME", description = "Only this server.")
  private @Nullable String server;

  @Option(
      names = "--digest",
      paramLabel = "SHA256",
      description = "Confirm the server with this digest without asking.")
  private @Nullable String digest;

  McpTrustCommand(Host host) {
    super(host);
  }

  @Override
  public Integer call() {
    return ServersRun.trust(host, folder, Optional.ofNullable(server), Optional.ofNullable(digest));
  }
}
