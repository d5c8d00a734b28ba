package dev.superstep.cli.command;

import dev.superstep.cli.conversation.ConfigRun;
import dev.superstep.cli.host.Host;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/// `superstep config explain`.
@Command(
    name = "explain",
    header = "Tells every place that has a say in a setting, and which one counts.",
    description = "Secrets are not shown. An option of a command is stronger than all of them.")
final class ConfigExplainCommand extends HostCommand {
  @Parameters(
      paramLabel = "KEY",
      arity = "0..1",
      description = "Such as `model`; without one, all settings.")
  private @Nullable String key;

  ConfigExplainCommand(Host host) {
    super(host);
  }

  @Override
  public Integer call() {
    return ConfigRun.explain(host, Optional.ofNullable(key));
  }
}
