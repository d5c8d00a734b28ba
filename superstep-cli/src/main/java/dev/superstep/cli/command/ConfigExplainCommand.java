package dev.superstep.cli.command;

import dev.superstep.cli.command.base.HostCommand;
import dev.superstep.cli.conversation.ConfigRun;
import dev.superstep.cli.host.Host;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/// `superstep config explain`.
@Command(
    name = "explain",
    header = "Shows all sources of a setting, and the one that is used.",
    description = "Secrets are not shown. Command-line options override all sources.")
final class ConfigExplainCommand extends HostCommand {
  @Parameters(
      paramLabel = "KEY",
      arity = "0..1",
      description = "The name of a setting, such as `model`; all settings by default.")
  private @Nullable String key;

  ConfigExplainCommand(Host host) {
    super(host);
  }

  @Override
  public Integer call() {
    return ConfigRun.explain(host, Optional.ofNullable(key));
  }
}
