package dev.superstep.cli.command;

import dev.superstep.cli.conversation.TrustRun;
import dev.superstep.cli.host.Host;
import picocli.CommandLine.Command;

/// `superstep policy untrust`.
@Command(name = "untrust", header = "Lets the rules of this folder not count any more.")
final class PolicyUntrustCommand extends HostCommand {
  PolicyUntrustCommand(Host host) {
    super(host);
  }

  @Override
  public Integer call() {
    return TrustRun.untrust(host);
  }
}
