package dev.superstep.cli.command;

import dev.superstep.cli.command.base.HostCommand;
import dev.superstep.cli.conversation.ConsentRun;
import dev.superstep.cli.host.Host;
import picocli.CommandLine.Command;

/// `superstep consent list`.
@Command(name = "list", header = "Lists the consents, by vendor and folder.")
final class ConsentListCommand extends HostCommand {
  ConsentListCommand(Host host) {
    super(host);
  }

  @Override
  public Integer call() {
    return ConsentRun.list(host);
  }
}
