package dev.superstep.cli.command;

import dev.superstep.cli.command.base.HostCommand;
import dev.superstep.cli.command.base.StoreOptions;
import dev.superstep.cli.conversation.SessionsRun;
import dev.superstep.cli.host.Host;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `superstep sessions list`.
@Command(
    name = "list",
    header = "Lists the conversations of this folder, newest first.",
    description = "`superstep do --resume ID` resumes one.")
final class SessionsListCommand extends HostCommand {
  @Option(names = "--after", paramLabel = "ID", description = "Continue the list after this one.")
  private @Nullable String after;

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "20",
      description = "The maximum number of entries (default: ${DEFAULT-VALUE}).")
  private int limit;

  SessionsListCommand(Host host) {
    super(host);
  }

  @Override
  public Integer call() {
    StoreOptions.checkLimit(limit);
    return SessionsRun.list(host, Optional.ofNullable(after), limit);
  }
}
