package dev.superstep.cli.command;

import dev.superstep.cli.command.base.HostCommand;
import dev.superstep.cli.conversation.PolicyWhy;
import dev.superstep.cli.host.Host;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/// `superstep policy test`.
@Command(
    name = "test",
    header = "Checks a file of rules, and the examples in it.",
    description = "Exit code 2 if a rule is invalid or an example fails.")
final class PolicyTestCommand extends HostCommand {
  @Parameters(paramLabel = "FILE", description = "The rules, in TOML.")
  private String file = "";

  PolicyTestCommand(Host host) {
    super(host);
  }

  @Override
  public Integer call() {
    return PolicyWhy.test(host, file);
  }
}
