package dev.superstep.cli.command;

import dev.superstep.cli.host.ExitCodes;
import dev.superstep.cli.host.Host;
import dev.superstep.cli.host.UsageError;
import dev.superstep.cli.run.ThreadStore;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/// `superstep threads cancel`.
@Command(
    name = "cancel",
    mixinStandardHelpOptions = true,
    versionProvider = RootCommand.Version.class,
    header = "Asks the run that is at work on a thread, in whatever process, to stop.",
    description = {
      "It stops within a few seconds. What had finished is kept, and the thread can be resumed."
    },
    footerHeading = "%nExamples:%n",
    footer = "  superstep threads cancel monday")
final class ThreadsCancelCommand implements Callable<Integer> {
  private final Host host;

  @Parameters(paramLabel = "THREAD", description = "The name that `run` printed.")
  private String thread = "";

  @Mixin private StoreOptions options = new StoreOptions();

  ThreadsCancelCommand(Host host) {
    this.host = host;
  }

  @Override
  public Integer call() {
    try (var store = ThreadStore.open(host, thread, options.store())) {
      if (!store.threads().cancel(thread)) {
        store.head();
        throw new UsageError(
            "thread.idle", "Nobody is at work on thread `" + thread + "`, so nothing is stopped.");
      }
      var who = store.threads().find(thread).flatMap(head -> head.holder());
      store.print("asked " + who.map(holder -> holder.owner()).orElse("its run") + " to stop");
    }
    return ExitCodes.COMPLETED;
  }
}
