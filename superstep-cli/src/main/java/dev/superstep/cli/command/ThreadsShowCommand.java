package dev.superstep.cli.command;

import dev.superstep.cli.host.ExitCodes;
import dev.superstep.cli.host.Host;
import dev.superstep.cli.run.ThreadStore;
import dev.superstep.cli.run.ThreadView;
import dev.superstep.json.Json;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `superstep threads show`.
@Command(
    name = "show",
    mixinStandardHelpOptions = true,
    versionProvider = RootCommand.Version.class,
    header = "Shows how a thread stands: its state, its open questions, who is at work.",
    footerHeading = "%nExamples:%n",
    footer = {"  superstep threads show monday", "  superstep threads show monday --json"})
final class ThreadsShowCommand implements Callable<Integer> {
  private final Host host;

  @Parameters(paramLabel = "THREAD", description = "The name that `run` printed.")
  private String thread = "";

  @Option(names = "--json", description = "Write JSON, one object a line.")
  private boolean json;

  @Mixin private StoreOptions options = new StoreOptions();

  ThreadsShowCommand(Host host) {
    this.host = host;
  }

  @Override
  public Integer call() {
    try (var store = ThreadStore.open(host, thread, options.store())) {
      var view = ThreadView.of(store);
      store.print(json ? Json.of(view).text() : view.text());
    }
    return ExitCodes.COMPLETED;
  }
}
