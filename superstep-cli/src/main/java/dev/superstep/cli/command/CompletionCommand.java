package dev.superstep.cli.command;

import dev.superstep.cli.command.base.HostCommand;
import dev.superstep.cli.host.Host;
import java.util.function.Supplier;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/// `superstep completion`.
@Command(
    name = "completion",
    header = "Prints a completion script for a shell, or the manual page.",
    description = {
      "Generated from the commands and options. The archive of the command has all three in its",
      "folder share."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  source <(superstep completion bash)                     in ~/.bashrc",
      "  source <(superstep completion zsh)                      in ~/.zshrc, behind compinit",
      "  superstep completion man > ~/.local/share/man/man1/superstep.1"
    })
final class CompletionCommand extends HostCommand {
  private final Supplier<CommandLine> whole;

  @Parameters(paramLabel = "KIND", description = "One of ${COMPLETION-CANDIDATES}.")
  private Kind kind = Kind.bash;

  /// @param whole makes the command line with all its commands
  CompletionCommand(Host host, Supplier<CommandLine> whole) {
    super(host);
    this.whole = whole;
  }

  /// The texts that can be printed. Users type the constants.
  enum Kind {
    bash,
    zsh,
    man
  }

  @Override
  public Integer call() {
    var line = whole.get();
    host.terminal()
        .out()
        .print(
            switch (kind) {
              case bash -> bash(line);
              case zsh -> zsh(line);
              case man -> new ManualPage().text(line.getCommandSpec());
            });
    return 0;
  }

  private static String bash(CommandLine line) {
    return AutoComplete.bash(line.getCommandName(), line);
  }

  /// zsh runs the script of bash. From a folder of functions it runs it at the first key, which is
  /// to be answered, too.
  private static String zsh(CommandLine line) {
    var name = line.getCommandName();
    return "#compdef "
        + name
        + "\n"
        + bash(line)
        + "\nif [[ $zsh_eval_context == *loadautofunc* ]]; then\n"
        + "  _bash_complete -o default -F _complete_"
        + name
        + "\nfi\n";
  }
}
