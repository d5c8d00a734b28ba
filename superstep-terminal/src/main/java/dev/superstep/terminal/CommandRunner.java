package dev.superstep.terminal;

import dev.superstep.terminal.approval.Execution;

/// Runs a command that was approved. It starts what it is given and nothing else, and confines it
/// as the execution says or refuses. Implementations are safe for many threads.
@FunctionalInterface
public interface CommandRunner {
  /// Runs a command to its end, and ends all of its processes.
  ///
  /// @throws InterruptedException if the calling thread is interrupted; the processes are ended
  ///   before
  CommandResult run(Execution execution) throws InterruptedException;
}
