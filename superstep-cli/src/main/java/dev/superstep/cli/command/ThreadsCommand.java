package dev.superstep.cli.command;

import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// `superstep threads`.
@Command(
    name = "threads",
    mixinStandardHelpOptions = true,
    versionProvider = RootCommand.Version.class,
    header = "Lists threads, looks at them, forks them, and throws them away.",
    description = "Runs nothing, and loads no program's code.",
    synopsisSubcommandLabel = "COMMAND")
final class ThreadsCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    throw new CommandLine.ParameterException(spec.commandLine(), "Name a command");
  }
}
