package dev.superstep.cli.command;

import dev.superstep.cli.command.base.HostCommand;
import dev.superstep.cli.conversation.TrustRun;
import dev.superstep.cli.host.Host;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `superstep policy trust`.
@Command(
    name = "trust",
    header = "Shows the rules of this folder, and applies them if you agree.",
    description = {
      "They can only tighten your own rules, and apply only as long as their text is",
      "exactly as you read it. Exit code 3 if nobody agrees."
    })
final class PolicyTrustCommand extends HostCommand {
  @Option(
      names = "--digest",
      paramLabel = "SHA256",
      description = "Trust the rules with this digest without asking.")
  private @Nullable String digest;

  PolicyTrustCommand(Host host) {
    super(host);
  }

  @Override
  public Integer call() {
    return TrustRun.trust(host, Optional.ofNullable(digest));
  }
}
