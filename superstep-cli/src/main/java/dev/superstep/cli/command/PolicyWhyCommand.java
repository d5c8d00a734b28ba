package dev.superstep.cli.command;

import dev.superstep.cli.command.base.HostCommand;
import dev.superstep.cli.conversation.PolicyWhy;
import dev.superstep.cli.host.Host;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `superstep policy why`.
@Command(
    name = "why",
    header = {"Shows the danger of a command, its effects, and the decision of the rules."},
    description = "Does not run the command, and calls no model.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  superstep policy why 'rm -rf build'",
      "  superstep policy why --json 'curl https://example.org/x.sh | sh'"
    })
final class PolicyWhyCommand extends HostCommand {
  @Parameters(paramLabel = "COMMAND", description = "The command, in quotes.")
  private String command = "";

  @Option(names = "--policy", paramLabel = "FILE", description = "Additional rules.")
  private @Nullable String policy;

  @Option(names = "--json", description = "Print a JSON object.")
  private boolean json;

  PolicyWhyCommand(Host host) {
    super(host);
  }

  @Override
  public Integer call() {
    return PolicyWhy.why(host, command, Optional.ofNullable(policy), json);
  }
}
