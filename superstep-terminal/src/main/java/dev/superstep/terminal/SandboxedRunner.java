package dev.superstep.terminal;

import dev.superstep.sandbox.Sandbox;
import dev.superstep.sandbox.SandboxCommand;
import dev.superstep.sandbox.SandboxError;
import dev.superstep.sandbox.SandboxResult.Ended;
import dev.superstep.terminal.CommandResult.ExecutionError;
import dev.superstep.terminal.approval.Execution;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;

/// Runs commands in a [Sandbox], in the tier that was approved and in no other.
///
/// @param sandbox of this machine
public record SandboxedRunner(Sandbox sandbox) implements CommandRunner {
  @Override
  public CommandResult run(Execution execution) throws InterruptedException {
    var confinement = execution.confinement();
    var command =
        SandboxCommand.of(confinement.tier(), execution.directory(), execution.argv())
            .variables(execution.environment())
            .input(execution.stdin().getBytes(StandardCharsets.UTF_8))
            .timeout(execution.timeout());
    if (!confinement.isReadOnly()) command = command.writing(execution.workspace());
    if (confinement.refusesMetadata()) command = command.lockingMetadata();
    try {
      var result = sandbox.run(command);
      var cut = result.out().isCut() || result.err().isCut();
      return new CommandResult(
          exit(result.ended()),
          result.out().text(),
          result.err().text(),
          cut,
          error(result.ended()),
          result.took());
    } catch (SandboxError e) {
      // Nothing falls back to another tier: the command did not start.
      return new CommandResult(
          -1,
          "",
          String.valueOf(e.getMessage()),
          false,
          Optional.of(ExecutionError.EXECUTION_FAILED),
          Duration.ZERO);
    }
  }

  private static int exit(Ended ended) {
    return ended instanceof Ended.Exited(var code) ? code : -1;
  }

  private static Optional<ExecutionError> error(Ended ended) {
    return switch (ended) {
      case Ended.Exited(var code) -> CommandResult.ended(code, "", "", Duration.ZERO).error();
      case Ended.TimedOut _ -> Optional.of(ExecutionError.TIMEOUT);
      case Ended.Signaled _, Ended.OutputExceeded _, Ended.Cancelled _ ->
          Optional.of(ExecutionError.EXECUTION_FAILED);
    };
  }
}
