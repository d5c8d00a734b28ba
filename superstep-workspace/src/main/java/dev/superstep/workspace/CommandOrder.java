package dev.superstep.workspace;

import dev.superstep.sandbox.OutputLimits;
import dev.superstep.sandbox.ProcessLimits;
import dev.superstep.sandbox.ProtectedNames;
import dev.superstep.sandbox.SandboxCommand;
import dev.superstep.sandbox.SandboxResult;
import dev.superstep.sandbox.Tier;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// A command to run that was allowed. Immutable.
///
/// @param program the file of the first word
record CommandOrder(
    List<String> command, Path program, Path directory, Map<String, String> variables) {
  private static final int SIGNALLED = 128;

  // A workspace limits the time of a command as a whole; these only stop what runs away.
  private static final ProcessLimits LIMITS =
      ProcessLimits.standard().fileBytes(64L << 30).processes(4096).cpu(Duration.ofHours(12));

  CommandOrder {
    command = List.copyOf(command);
    variables = Map.copyOf(variables);
  }

  /// As the sandbox takes it. In [Tier#PROCESS] it has its own variables alone; the other tiers
  /// bring a home and a folder for temporary files.
  SandboxCommand in(Tier tier, List<Root> roots, Duration time, int outputMax) {
    var words = new ArrayList<>(command);
    words.set(0, program.toString());
    var plain =
        SandboxCommand.of(tier, directory, words)
            .timeout(time)
            .limits(LIMITS)
            .output(OutputLimits.standard().keeping(outputMax, 0).killingAfter(Long.MAX_VALUE));
    if (tier == Tier.PROCESS) {
      return plain.onlyVariables(variables).protecting(ProtectedNames.none());
    }
    var confined = plain.variables(variables);
    for (var root : roots) {
      confined = root.isWritable() ? confined.writing(root.real()) : confined.reading(root.real());
    }
    return confined;
  }

  /// The report of the sandbox about it.
  CommandResult result(SandboxResult result) {
    var ended =
        switch (result.ended()) {
          case SandboxResult.Ended.Exited(int code) -> new CommandResult.Ended.Exited(code);
          case SandboxResult.Ended.Signaled(int signal) ->
              new CommandResult.Ended.Exited(SIGNALLED + signal);
          case SandboxResult.Ended.TimedOut(var after) -> new CommandResult.Ended.TimedOut(after);
          case SandboxResult.Ended.OutputExceeded _, SandboxResult.Ended.Cancelled _ ->
              throw new IllegalStateException("nobody asked for that: " + result.ended());
        };
    return new CommandResult(
        command,
        ended,
        new CommandResult.Output(result.out().head(), result.out().isCut()),
        new CommandResult.Output(result.err().head(), result.err().isCut()),
        result.took(),
        result.orphans());
  }
}
