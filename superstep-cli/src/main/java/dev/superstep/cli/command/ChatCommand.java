package dev.superstep.cli.command;

import dev.superstep.cli.chat.ChatRequest;
import dev.superstep.cli.chat.ChatRun;
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
    header = "Talks to an agent.",
    description = {
      "The agent is that of a program's folder, whose code runs with your rights; without a",
      "folder, a plain one that has no tools. Each turn is kept: --thread goes on, also after a",
      "kill. On standard input, one line is one message, and answers go to standard output."
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
      description = "Holds superstep.toml, which names a program that is an agent.")
  private @Nullable String folder;

  @Option(
      names = "--thread",
      paramLabel = "ID",
      description = "Go on with this conversation, or begin one of this name.")
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
        "Where threads are kept: by default $SUPERSTEP_STORE, or else",
        ".superstep/superstep.db in the current directory."
      })
  private @Nullable String store;

  @Option(
      names = "--json",
      description = {
        "Write events and answers to standard output, one JSON object a line; the last",
        "one has the type `result` or `error`. Asks nothing."
      })
  private boolean json;

  @Option(
      names = "--payloads",
      description = "Keep texts in the events of --json and in the journal. They may hold secrets.")
  private boolean payloads;

  @Option(names = "--plain", description = "Only add lines; for screen readers.")
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
            new ChatRequest.Looks(new RunFlags.Events(json, payloads), plain, debug)));
  }
}
