package dev.superstep.cli.command;

import dev.superstep.cli.command.base.HostCommand;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// A command that does nothing without one of its subcommands.
@Command(
    mixinStandardHelpOptions = true,
    versionProvider = HostCommand.Version.class,
    synopsisSubcommandLabel = "COMMAND")
abstract class CommandGroup implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    throw new CommandLine.ParameterException(spec.commandLine(), "Name a command");
  }
}
