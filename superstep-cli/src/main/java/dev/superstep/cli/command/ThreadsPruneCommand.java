package dev.superstep.cli.command;

import dev.superstep.checkpoint.Prune;
import dev.superstep.cli.host.Confirmation;
import dev.superstep.cli.host.ExitCodes;
import dev.superstep.cli.host.Host;
import dev.superstep.cli.host.UsageError;
import dev.superstep.cli.run.ThreadStore;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `superstep threads prune`.
@Command(
    name = "prune",
    header = "Deletes old checkpoints of a thread.",
    description = {
      "The newest checkpoints are not deleted, so the thread can be resumed, but not",
      "rewound to a deleted checkpoint."
    },
    footer = {
      "  superstep threads prune monday --keep 10",
      "  superstep threads prune monday --keep 1 --older-than P7D --yes"
    })
final class ThreadsPruneCommand extends ThreadCommand {
  @Option(
      names = "--keep",
      paramLabel = "N",
      required = true,
      description = "The number of newest checkpoints to retain, at least 1.")
  private int keep;

  @Option(
      names = "--older-than",
      paramLabel = "TIME",
      description = "Delete only checkpoints older than this, such as P7D or PT12H.")
  private @Nullable Duration olderThan;

  @Option(names = "--yes", description = "Do not ask.")
  private boolean yes;

  ThreadsPruneCommand(Host host) {
    super(host);
  }

  @Override
  void check() {
    if (keep < 1) throw new UsageError("usage", "--keep must be at least 1, was " + keep + ".");
  }

  @Override
  int on(ThreadStore store) {
    store.head();
    var prune = Prune.keepLast(keep);
    if (olderThan != null) prune = prune.olderThan(host.clock().instant().minus(olderThan));
    var confirmation = new Confirmation(host.terminal(), yes);
    if (!confirmation.confirmed("Delete old checkpoints of thread " + thread + "?")) {
      store.print("nothing was deleted");
      return ExitCodes.COMPLETED;
    }
    int gone = store.threads().prune(thread, prune);
    store.print(gone == 1 ? "1 checkpoint is deleted" : gone + " checkpoints are deleted");
    return ExitCodes.COMPLETED;
  }
}
