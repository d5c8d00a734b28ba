package dev.superstep.cli.command;

import dev.superstep.cli.command.base.StoreOptions;
import dev.superstep.cli.host.ExitCodes;
import dev.superstep.cli.host.Host;
import dev.superstep.cli.run.ThreadNames;
import dev.superstep.cli.run.ThreadStore;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `superstep threads copy`.
@Command(
    name = "copy",
    header = "Copies a thread.",
    description = {
      "Finished work does not run again in the copy, and open questions can be answered in",
      "both threads. The copy has a new journal."
    },
    footer = "  superstep threads copy monday --as backup")
final class ThreadsCopyCommand extends ThreadCommand {
  @Option(
      names = "--as",
      paramLabel = "NAME",
      required = true,
      description = "The new thread's name.")
  private String as = "";

  ThreadsCopyCommand(Host host) {
    super(host);
  }

  @Override
  int on(ThreadStore store) {
    var metadata = store.head().checkpoint().metadata();
    if (as.equals(thread)) throw StoreOptions.sameName("rewind", thread);
    store.threads().copy(thread, ThreadNames.checked(as));
    store.print("thread " + as + " holds what thread " + thread + " holds");
    store.resumeApart(as, metadata).ifPresent(line -> store.print("resume with: " + line));
    return ExitCodes.COMPLETED;
  }
}
