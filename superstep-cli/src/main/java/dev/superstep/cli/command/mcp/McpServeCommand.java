package dev.superstep.cli.command.mcp;

import dev.superstep.cli.host.Host;
import dev.superstep.cli.serve.McpServeRun;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `superstep mcp serve`.
@Command(
    name = "serve",
    header = "Serves programs, agents and graphs as text as an MCP server.",
    description = {
      "Clients start it and speak with it by its standard streams; with --http it listens on",
      "this machine, at /mcp. Each program is a tool, and each call of it a thread.",
      "`superstep mcp FOLDER` does the same.",
      "This runs the folders' code with your permissions: serve only code that you trust."
    },
    footer = {
      "  superstep mcp serve examples/refunds",
      "  superstep mcp serve agents desk.rag --http 8124 --model openai://gpt-5.2"
    })
final class McpServeCommand extends McpCommand {
  @Parameters(
      paramLabel = "FOLDER",
      arity = "1..*",
      description = "Folders with programs, folders of such folders, or .rag files.")
  private List<String> folders = List.of();

  @Option(
      names = "--http",
      paramLabel = "PORT",
      description = "Listen on this machine; 0 for any port.")
  private @Nullable Integer port;

  @Option(
      names = "--keys",
      paramLabel = "FILE",
      description = {
        "With --http: lines NAME KEY or NAME sha256:DIGEST, and `read` or",
        "`write`."
      })
  private @Nullable String keys;

  @Option(
      names = "--approvals-by-tool",
      description = {
        "Let clients that show no forms approve by a tool: their models",
        "decide then, unless they show each call to their user."
      })
  private boolean approvalsByTool;

  @Option(
      names = "--store",
      paramLabel = "URL",
      description = {
        "sqlite:PATH or postgresql://USER:PASSWORD@HOST/NAME; by default",
        "the file of `superstep run`."
      })
  private @Nullable String store;

  @Option(
      names = "--model",
      paramLabel = "URL",
      description = "The model of all programs, instead of those that they name.")
  private @Nullable String model;

  McpServeCommand(Host host) {
    super(host);
  }

  @Override
  public Integer call() {
    return McpServeRun.run(
        host,
        new McpServeRun.Request(
            folders,
            Optional.ofNullable(model),
            Optional.ofNullable(port),
            Optional.ofNullable(keys),
            Optional.ofNullable(store),
            approvalsByTool,
            debug));
  }
}
