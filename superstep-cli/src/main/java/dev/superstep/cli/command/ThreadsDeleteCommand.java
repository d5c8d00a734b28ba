package dev.superstep.cli.command;

import dev.superstep.cli.host.Confirmation;
import dev.superstep.cli.host.ExitCodes;
import dev.superstep.cli.host.Host;
import dev.superstep.cli.run.ThreadStore;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `superstep threads delete`.
@Command(
    name = "delete",
    mixinStandardHelpOptions = true,
    versionProvider = RootCommand.Version.class,
    header = "Deletes all that is kept of a thread, its journal too.",
    description = {
      "Threads that were forked or copied from it stay whole. Files that its runs wrote stay, too."
    },
    footerHeading = "%nExamples:%n",
    footer = {"  superstep threads delete monday", "  superstep threads delete monday --yes"})
final class ThreadsDeleteCommand implements Callable<Integer> {
  private final Host host;

  @Parameters(paramLabel = "THREAD", description = "The name that `run` printed.")
  private String thread = "";

  @Option(names = "--yes", description = "Do not ask.")
  private boolean yes;

  @Mixin private StoreOptions options = new StoreOptions();

  ThreadsDeleteCommand(Host host) {
    this.host = host;
  }

  @Override
  public Integer call() {
    try (var store = ThreadStore.open(host, thread, options.store())) {
      if (store.threads().find(thread).isEmpty() && store.journal().lastOffset() == 0) {
        throw store.unknown();
      }
      var confirmation = new Confirmation(host.terminal(), yes);
      if (!confirmation.confirmed("Delete thread " + thread + " and its journal?")) {
        store.print("nothing was deleted");
        return ExitCodes.COMPLETED;
      }
      store.threads().delete(thread);
      store.print("thread " + thread + " is deleted");
    }
    return ExitCodes.COMPLETED;
  }
}
