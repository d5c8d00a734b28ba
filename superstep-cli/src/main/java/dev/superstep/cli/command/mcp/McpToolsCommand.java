package dev.superstep.cli.command.mcp;

import dev.superstep.cli.host.Host;
import dev.superstep.cli.mcp.OffersRun;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `superstep mcp tools`.
@Command(
    name = "tools",
    header = "Lists the tools of MCP servers, or approves one that has changed.",
    description = {
      "Starts the servers. The tools of the first contact count as approved; one that differs",
      "later is `changed` or `added`, and is not called before somebody has approved it."
    },
    footer = {
      "  superstep mcp tools",
      "  superstep mcp tools desk --server files --json",
      "  superstep mcp tools --approve files_read_text_file"
    })
final class McpToolsCommand extends McpCommand {
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
      names = "--approve",
      paramLabel = "TOOL",
      description = "Show what has changed of this tool, and approve it if you agree.")
  private @Nullable String approve;

  @Option(names = "--yes", description = "Approve without asking.")
  private boolean yes;

  @Option(names = "--json", description = "Write JSON, one object per line. Never asks.")
  private boolean json;

  McpToolsCommand(Host host) {
    super(host);
  }

  @Override
  public Integer call() throws InterruptedException {
    try (var run = OffersRun.of(host, folder, json)) {
      if (approve != null) return run.approve(approve, yes);
      return run.tools(Optional.ofNullable(server));
    }
  }
}
