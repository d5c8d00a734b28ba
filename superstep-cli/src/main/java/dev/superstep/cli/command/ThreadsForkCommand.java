package dev.superstep.cli.command;

import dev.superstep.cli.command.base.StoreOptions;
import dev.superstep.cli.host.ExitCodes;
import dev.superstep.cli.host.Host;
import dev.superstep.cli.run.ThreadNames;
import dev.superstep.cli.run.ThreadStore;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `superstep threads fork`.
@Command(
    name = "fork",
    header = "Forks a thread: creates a new one from a checkpoint.",
    description = {
      "The original thread does not change. Tasks that were pending at the checkpoint run",
      "again, also finished ones, and their questions are asked again."
    },
    footer = {
      "  superstep threads fork monday --as tuesday",
      "  superstep threads fork monday --from CHECKPOINT --as tuesday"
    })
final class ThreadsForkCommand extends ThreadCommand {
  @Option(
      names = "--from",
      paramLabel = "CHECKPOINT",
      description = "The checkpoint, as listed by `history`; by default the newest.")
  private @Nullable String from;

  @Option(
      names = "--as",
      paramLabel = "NAME",
      required = true,
      description = "The new thread's name.")
  private String as = "";

  ThreadsForkCommand(Host host) {
    super(host);
  }

  @Override
  int on(ThreadStore store) {
    var head = store.head();
    if (as.equals(thread)) throw StoreOptions.sameName("rewind", thread);
    var at = from == null ? head.checkpoint().id() : from;
    var made = store.threads().fork(thread, at, ThreadNames.checked(as));
    store.print("thread " + as + " begins from step " + made.step() + " of thread " + thread);
    store.resumeApart(as, made.metadata()).ifPresent(line -> store.print("resume with: " + line));
    return ExitCodes.COMPLETED;
  }
}
