package dev.superstep.cli.command;

import dev.superstep.cli.host.ExitCodes;
import dev.superstep.cli.host.Host;
import dev.superstep.cli.run.ThreadStore;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `superstep threads rewind`.
@Command(
    name = "rewind",
    header = "Lets a thread go on from one of its older checkpoints.",
    description = {"Its history stays, so this can be taken back in the same way."},
    footer = "  superstep threads rewind monday --to CHECKPOINT")
final class ThreadsRewindCommand extends ThreadCommand {
  @Option(
      names = "--to",
      paramLabel = "CHECKPOINT",
      required = true,
      description = "Where it goes on, as `history` lists it.")
  private String to = "";

  ThreadsRewindCommand(Host host) {
    super(host);
  }

  @Override
  int on(ThreadStore store) {
    store.head();
    var made = store.threads().rewind(thread, to);
    store.print("thread " + thread + " goes on from step " + made.step());
    store.resume(thread, made.metadata()).ifPresent(line -> store.print("go on with: " + line));
    return ExitCodes.COMPLETED;
  }
}
