package dev.superstep.cli.command;

import dev.superstep.cli.host.ExitCodes;
import dev.superstep.cli.host.Host;
import dev.superstep.cli.run.ThreadStore;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `superstep threads rewind`.
@Command(
    name = "rewind",
    header = "Rewinds a thread to one of its older checkpoints.",
    description = "Its history is not deleted, so you can undo this with another rewind.",
    footer = "  superstep threads rewind monday --to CHECKPOINT")
final class ThreadsRewindCommand extends ThreadCommand {
  @Option(
      names = "--to",
      paramLabel = "CHECKPOINT",
      required = true,
      description = "The checkpoint, as listed by `history`.")
  private String to = "";

  ThreadsRewindCommand(Host host) {
    super(host);
  }

  @Override
  int on(ThreadStore store) {
    store.head();
    var made = store.threads().rewind(thread, to);
    store.print("thread " + thread + " goes on from step " + made.step());
    store.resume(thread, made.metadata()).ifPresent(line -> store.print("resume with: " + line));
    return ExitCodes.COMPLETED;
  }
}
