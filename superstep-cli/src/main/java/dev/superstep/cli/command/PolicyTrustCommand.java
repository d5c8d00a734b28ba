package dev.superstep.cli.command;

import dev.superstep.cli.conversation.TrustRun;
import dev.superstep.cli.host.Host;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `superstep policy trust`.
@Command(
    name = "trust",
    header = "Shows the rules of this folder, and lets them count if you agree.",
    description = {
      "They only tighten, and count only while they stay exactly as you have read them. Ends with",
      "exit code 3 if nobody agreed."
    })
final class PolicyTrustCommand extends HostCommand {
  @Option(
      names = "--digest",
      paramLabel = "SHA256",
      description = "Trust the text with this digest, which you have read, without a question.")
  private @Nullable String digest;

  PolicyTrustCommand(Host host) {
    super(host);
  }

  @Override
  public Integer call() {
    return TrustRun.trust(host, Optional.ofNullable(digest));
  }
}
