package dev.superstep.cli.command.mcp;

import dev.superstep.cli.host.Host;
import dev.superstep.cli.host.UsageError;
import dev.superstep.cli.mcp.OffersRun;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `superstep mcp prompts`.
@Command(
    name = "prompts",
    header = "Lists the prompts of MCP servers, or prints the messages of one.",
    footer = {
      "  superstep mcp prompts",
      "  superstep mcp prompts --server notes --prompt summary --argument day=monday"
    })
final class McpPromptsCommand extends McpCommand {
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
      names = "--prompt",
      paramLabel = "NAME",
      description = "Print the messages of this prompt of the server.")
  private @Nullable String prompt;

  @Option(
      names = "--argument",
      paramLabel = "NAME=VALUE",
      description = "An argument of the prompt. May be given several times.")
  private List<String> arguments = new ArrayList<>();

  @Option(names = "--json", description = "Write JSON, one object per line. Never asks.")
  private boolean json;

  McpPromptsCommand(Host host) {
    super(host);
  }

  @Override
  public Integer call() throws InterruptedException {
    if (prompt != null && server == null) {
      throw new UsageError("usage", "--prompt needs --server NAME.");
    }
    try (var run = OffersRun.of(host, folder, json)) {
      if (prompt == null || server == null) return run.prompts(Optional.ofNullable(server));
      return run.prompt(server, prompt, arguments);
    }
  }
}
