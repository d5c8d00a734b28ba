package dev.superstep.cli.command;

import dev.superstep.cli.host.Confirmation;
import dev.superstep.cli.host.ExitCodes;
import dev.superstep.cli.host.Host;
import dev.superstep.cli.run.ThreadStore;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `superstep threads delete`.
@Command(
    name = "delete",
    header = "Deletes a thread and its journal.",
    description = {
      "Forks and copies of the thread, and files that its runs wrote, are not deleted."
    },
    footer = {"  superstep threads delete monday", "  superstep threads delete monday --yes"})
final class ThreadsDeleteCommand extends ThreadCommand {
  @Option(names = "--yes", description = "Do not ask.")
  private boolean yes;

  ThreadsDeleteCommand(Host host) {
    super(host);
  }

  @Override
  int on(ThreadStore store) {
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
    return ExitCodes.COMPLETED;
  }
}
