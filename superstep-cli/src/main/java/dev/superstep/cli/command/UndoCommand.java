package dev.superstep.cli.command;

import dev.superstep.cli.conversation.UndoRun;
import dev.superstep.cli.host.Host;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `superstep undo`.
@Command(
    name = "undo",
    header = "Takes back what a command changed in this folder.",
    description = {
      "Without CHANGE, the newest one. What was changed again since then is not touched: then",
      "nothing is taken back. What a command did outside the folder stays."
    })
final class UndoCommand extends HostCommand {
  @Parameters(paramLabel = "CHANGE", arity = "0..1", description = "Its number in the list.")
  private @Nullable Long change;

  @Option(names = "--list", description = "List the changes, the oldest first.")
  private boolean list;

  UndoCommand(Host host) {
    super(host);
  }

  @Override
  public Integer call() {
    if (list) return UndoRun.list(host);
    return change == null ? UndoRun.newest(host) : UndoRun.one(host, change);
  }
}
