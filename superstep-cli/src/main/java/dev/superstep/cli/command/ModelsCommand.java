package dev.superstep.cli.command;

import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// `superstep models`.
@Command(
    name = "models",
    mixinStandardHelpOptions = true,
    versionProvider = RootCommand.Version.class,
    header = "Lists models, and fetches the weights of local ones.",
    synopsisSubcommandLabel = "COMMAND")
final class ModelsCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    throw new CommandLine.ParameterException(spec.commandLine(), "Name a command");
  }
}
