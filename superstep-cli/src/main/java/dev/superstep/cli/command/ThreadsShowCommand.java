package dev.superstep.cli.command;

import dev.superstep.cli.host.ExitCodes;
import dev.superstep.cli.host.Host;
import dev.superstep.cli.run.ThreadStore;
import dev.superstep.cli.run.ThreadView;
import dev.superstep.json.Json;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `superstep threads show`.
@Command(
    name = "show",
    header = "Shows how a thread stands: its state, its open questions, who is at work.",
    footer = {"  superstep threads show monday", "  superstep threads show monday --json"})
final class ThreadsShowCommand extends ThreadCommand {
  @Option(names = "--json", description = "Write JSON, one object a line.")
  private boolean json;

  ThreadsShowCommand(Host host) {
    super(host);
  }

  @Override
  int on(ThreadStore store) {
    var view = ThreadView.of(store);
    store.print(json ? Json.of(view).text() : view.text());
    return ExitCodes.COMPLETED;
  }
}
