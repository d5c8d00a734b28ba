package dev.superstep.cli.command;

import dev.superstep.cli.command.base.HostCommand;
import dev.superstep.cli.conversation.TrustRun;
import dev.superstep.cli.host.Host;
import picocli.CommandLine.Command;

/// `superstep policy untrust`.
@Command(name = "untrust", header = "Stops applying the rules of this folder.")
final class PolicyUntrustCommand extends HostCommand {
  PolicyUntrustCommand(Host host) {
    super(host);
  }

  @Override
  public Integer call() {
    return TrustRun.untrust(host);
  }
}
