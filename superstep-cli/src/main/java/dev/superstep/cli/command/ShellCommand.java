package dev.superstep.cli.command;

import dev.superstep.cli.conversation.ShellRun;
import dev.superstep.cli.host.Host;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/// `superstep shell`.
@Command(
    name = "shell",
    header = "A session in which you type commands and sentences.",
    description = {
      "Commands run at once, in the sandbox; sentences begin conversations, as with `superstep"
          + " do`.",
      "`!` before a line makes it a command, `?` a sentence."
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
