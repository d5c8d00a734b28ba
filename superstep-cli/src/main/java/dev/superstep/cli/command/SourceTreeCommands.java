package dev.superstep.cli.command;

import dev.superstep.cli.host.UsageError;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/// The commands that only the launcher of the source tree has. Elsewhere they say so.
final class SourceTreeCommands {
  static final List<String> NAMES =
      List.of("test", "format", "install", "site", "bench", "release");

  private SourceTreeCommands() {}

  /// A command that says where it would work.
  static CommandLine of(String name) {
    Callable<Integer> missing =
        () -> {
          throw new UsageError(
              "command.source-tree",
              "`superstep %s` works on the source tree of Superstep, and this is an installed command. Clone the repository, and call ./superstep %s there."
                  .formatted(name, name));
        };
    var spec = CommandSpec.wrapWithoutInspection(missing).name(name);
    spec.usageMessage().hidden(true);
    spec.parser().stopAtUnmatched(true).unmatchedArgumentsAllowed(true);
    return new CommandLine(spec);
  }
}
