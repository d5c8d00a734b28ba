package dev.superstep.cli.command;

import dev.superstep.cli.command.base.HostCommand;
import dev.superstep.cli.conversation.UndoRun;
import dev.superstep.cli.host.Host;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `superstep undo`.
@Command(
    name = "undo",
    header = "Undoes the changes of a command in this folder.",
    description = {
      "Without CHANGE, undoes the newest change. If a file was changed again since then,",
      "nothing is undone. Effects of a command outside the folder are not undone."
    })
final class UndoCommand extends HostCommand {
  @Parameters(
      paramLabel = "CHANGE",
      arity = "0..1",
      description = "The number of the change in the list.")
  private @Nullable Long change;

  @Option(names = "--list", description = "List the changes, oldest first.")
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
