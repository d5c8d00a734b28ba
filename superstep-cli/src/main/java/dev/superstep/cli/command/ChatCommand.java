package dev.superstep.cli.command;

import dev.superstep.cli.chat.ChatRequest;
import dev.superstep.cli.chat.ChatRun;
import dev.superstep.cli.command.base.HostCommand;
import dev.superstep.cli.host.Host;
import dev.superstep.cli.view.RunFlags;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `superstep chat`.
@Command(
    name = "chat",
    header = "Chats with an agent.",
    description = {
      "Chats with the agent of a program folder, whose code runs with your permissions;",
      "without a folder, with a plain agent, which has the tools of the MCP servers that you",
      "and the current folder configure: see `superstep mcp`. Each turn is saved: --thread",
      "continues, also after a kill. On standard input, each line is a message; answers go",
      "to standard output."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  superstep chat desk",
      "  superstep chat desk --thread monday",
      "  superstep chat --model openai://gpt-5.2",
      "  echo 'Where is order 17?' | superstep chat desk"
    })
final class ChatCommand extends HostCommand {
  @Parameters(
      paramLabel = "FOLDER",
      arity = "0..1",
      description = "A folder with a superstep.toml that names an agent program.")
  private @Nullable String folder;

  @Option(
      names = "--thread",
      paramLabel = "ID",
      description = "The name of a conversation to continue or begin.")
  private @Nullable String thread;

  @Option(
      names = "--model",
      paramLabel = "URL",
      description = "The model, such as local://gemma3-270m or openai://gpt-5.2.")
  private @Nullable String model;

  @Option(
      names = "--store",
      paramLabel = "FILE",
      description = {
        "The file with the threads: by default $SUPERSTEP_STORE, or else",
        ".superstep/superstep.db in the current directory."
      })
  private @Nullable String store;

  @Option(names = "--no-mcp", description = "Without the tools of MCP servers.")
  private boolean noMcp;

  @Option(
      names = "--json",
      description = {
        "Write events and answers to standard output, one JSON object per line; the last one",
        "has the type `result` or `error`. Never asks."
      })
  private boolean json;

  @Option(
      names = "--payloads",
      description = {
        "Include text in the events of --json and in the journal. It may contain secrets."
      })
  private boolean payloads;

  @Option(names = "--plain", description = "Only append lines: for screen readers.")
  private boolean plain;

  @Option(names = "--debug", description = "Show stack traces.")
  private boolean debug;

  ChatCommand(Host host) {
    super(host);
  }

  @Override
  public Integer call() {
    return ChatRun.run(
        host,
        new ChatRequest(
            Optional.ofNullable(folder),
            Optional.ofNullable(thread),
            Optional.ofNullable(model),
            Optional.ofNullable(store),
            !noMcp,
            new ChatRequest.Looks(new RunFlags.Events(json, payloads), plain, debug)));
  }
}
