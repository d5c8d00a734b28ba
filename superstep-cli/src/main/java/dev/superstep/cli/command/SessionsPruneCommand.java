package dev.superstep.cli.command;

import dev.superstep.cli.command.base.HostCommand;
import dev.superstep.cli.conversation.SessionsRun;
import dev.superstep.cli.host.Host;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `superstep sessions prune`.
@Command(
    name = "prune",
    header = "Deletes old conversations.",
    description = {
      "Deletes conversations of sessions that were not used for 30 days, and all but the",
      "newest 50 of each session. Running and waiting conversations are not deleted."
    })
final class SessionsPruneCommand extends HostCommand {
  @Option(names = "--yes", description = "Do not ask.")
  private boolean yes;

  SessionsPruneCommand(Host host) {
    super(host);
  }

  @Override
  public Integer call() {
    return SessionsRun.prune(host, yes);
  }
}
