package dev.superstep.cli.command;

import dev.superstep.cli.command.base.HostCommand;
import dev.superstep.cli.conversation.TranscriptRun;
import dev.superstep.cli.host.Host;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/// `superstep transcript verify`.
@Command(
    name = "verify",
    header = "Verifies that a transcript was not changed.",
    description = "Exit code 4 if a line was changed.")
final class TranscriptVerifyCommand extends HostCommand {
  @Parameters(paramLabel = "FILE", description = "The transcript.")
  private String file = "";

  TranscriptVerifyCommand(Host host) {
    super(host);
  }

  @Override
  public Integer call() {
    return TranscriptRun.verify(host, file);
  }
}
