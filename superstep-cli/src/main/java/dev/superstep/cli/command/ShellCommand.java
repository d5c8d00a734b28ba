package dev.superstep.cli.command;

import dev.superstep.cli.command.base.HostCommand;
import dev.superstep.cli.conversation.ShellRun;
import dev.superstep.cli.host.Host;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/// `superstep shell`.
@Command(
    name = "shell",
    header = "An interactive shell for commands and tasks.",
    description = {
      "Commands run immediately, in the sandbox. A task in plain words starts a",
      "conversation, as with `superstep do`. Begin a line with `!` for a command, with `?`",
      "for a task."
    })
final class ShellCommand extends HostCommand {
  @Mixin private ConversationOptions options = new ConversationOptions();

  ShellCommand(Host host) {
    super(host);
  }

  @Override
  public Integer call() {
    return ShellRun.run(host, options.options(false, true));
  }
}
