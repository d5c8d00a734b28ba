package dev.superstep.cli.command;

import dev.superstep.cli.host.ExitCodes;
import dev.superstep.cli.host.Host;
import dev.superstep.cli.host.UsageError;
import dev.superstep.cli.run.ThreadStore;
import picocli.CommandLine.Command;

/// `superstep threads cancel`.
@Command(
    name = "cancel",
    header = "Cancels the run of a thread, in any process.",
    description = {
      "The run stops within a few seconds. Finished work is saved, and the thread can be",
      "resumed."
    },
    footer = "  superstep threads cancel monday")
final class ThreadsCancelCommand extends ThreadCommand {
  ThreadsCancelCommand(Host host) {
    super(host);
  }

  @Override
  int on(ThreadStore store) {
    if (!store.threads().cancel(thread)) {
      store.head();
      throw new UsageError(
          "thread.idle", "Nobody is at work on thread `" + thread + "`, so nothing is stopped.");
    }
    var who = store.threads().find(thread).flatMap(head -> head.holder());
    store.print("asked " + who.map(holder -> holder.owner()).orElse("its run") + " to stop");
    return ExitCodes.COMPLETED;
  }
}
