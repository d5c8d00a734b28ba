package dev.superstep.cli.command;

import dev.superstep.cli.conversation.SessionsRun;
import dev.superstep.cli.host.Host;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `superstep sessions prune`.
@Command(
    name = "prune",
    header = "Deletes conversations that nobody needs any more.",
    description = {
      "Those of sessions that nobody used for 30 days, and those beyond the newest 50 of each",
      "session. Conversations that are at work or wait for somebody stay."
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
