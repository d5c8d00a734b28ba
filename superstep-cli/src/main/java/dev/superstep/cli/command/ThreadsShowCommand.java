package dev.superstep.cli.command;

import dev.superstep.cli.host.ExitCodes;
import dev.superstep.cli.host.Host;
import dev.superstep.cli.run.ThreadStore;
import dev.superstep.cli.run.ThreadView;
import dev.superstep.json.Json;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `superstep threads show`.
@Command(
    name = "show",
    header = {"Shows a thread: its state, its open questions, and the process that runs it."},
    footer = {
      "  superstep threads show monday",
      "  superstep threads show monday --channel report",
      "  superstep threads show monday --json"
    })
final class ThreadsShowCommand extends ThreadCommand {
  @Option(names = "--json", description = "Write JSON, one object per line.")
  private boolean json;

  @Option(names = "--full", description = "Show the complete values of all channels.")
  private boolean full;

  @Option(
      names = "--channel",
      paramLabel = "NAME",
      description = "Show only this channel, with its complete value.")
  private @Nullable String channel;

  ThreadsShowCommand(Host host) {
    super(host);
  }

  @Override
  int on(ThreadStore store) {
    var view = ThreadView.of(store);
    if (channel != null) store.print(view.channel(channel, json));
    else if (json) store.print(Json.of(view).text());
    else view.print(store, full);
    return ExitCodes.COMPLETED;
  }
}
