package dev.superstep.cli.command;

import dev.superstep.cli.host.Confirmation;
import dev.superstep.cli.host.ExitCodes;
import dev.superstep.cli.host.Host;
import dev.superstep.cli.host.UsageError;
import dev.superstep.cli.run.ThreadStore;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `superstep threads break`.
@Command(
    name = "break",
    header = "Breaks the lease of a dead process on a thread.",
    description = {
      "The lease of a process that was killed on this machine is free, so use this command",
      "for a process that hangs, or ran on another machine. If the process is alive, it can",
      "no longer save anything, but side effects of its nodes may happen twice after the",
      "thread is resumed."
    },
    footer = {"  superstep threads break monday", "  superstep threads break monday --yes"})
final class ThreadsBreakCommand extends ThreadCommand {
  @Option(names = "--yes", description = "Do not ask.")
  private boolean yes;

  ThreadsBreakCommand(Host host) {
    super(host);
  }

  @Override
  int on(ThreadStore store) {
    var holder = store.threads().find(thread).flatMap(head -> head.holder());
    var who = holder.map(h -> h.owner() + " until " + h.until()).orElse("somebody, if anybody");
    var question =
        "Thread `%s` is held by %s. If that lives, what its nodes do outside may be done twice."
            .formatted(thread, who);
    if (!new Confirmation(host.terminal(), yes).confirmed(question + " Break its lease?")) {
      store.print("nothing was changed");
      return ExitCodes.COMPLETED;
    }
    if (!store.threads().breakLease(thread)) {
      store.head();
      throw new UsageError(
          "thread.idle", "Nobody holds thread `" + thread + "`, so there is nothing to break.");
    }
    store.print("thread " + thread + " is free");
    return ExitCodes.COMPLETED;
  }
}
