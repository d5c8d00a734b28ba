package dev.superstep.sandbox;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/// The outcome of a command in a [Sandbox]. Immutable.
///
/// @param tier the tier that it ran in, which is the one that was asked for
/// @param orphans the number of processes that it left running and that were then killed; in
///   [Tier#BUBBLEWRAP] the kernel ends them with their namespace, uncounted
/// @param denials guesses at what the sandbox refused
/// @param protectedChanges protected names that differ from before the run; a caller should not
///   trust what is there
public record SandboxResult(
    Tier tier,
    Ended ended,
    CapturedOutput out,
    CapturedOutput err,
    Duration took,
    int orphans,
    List<Denial> denials,
    List<Path> protectedChanges) {
  public SandboxResult {
    denials = List.copyOf(denials);
    protectedChanges = List.copyOf(protectedChanges);
  }

  /// The way in which a command ended.
  public sealed interface Ended {
    /// It exited by itself.
    ///
    /// @param code 0 for success
    record Exited(int code) implements Ended {}

    /// A signal ended it that did not come from the sandbox, or one for a limit of the system.
    /// Where a tier has processes between, it is told from the exit code, as shells do.
    record Signaled(int signal) implements Ended {}

    /// It was killed at its time limit.
    record TimedOut(Duration after) implements Ended {}

    /// It was killed because it wrote more than it may.
    ///
    /// @param bytes the limit
    record OutputExceeded(long bytes) implements Ended {}

    /// It was killed because its caller asked for that.
    record Cancelled() implements Ended {}
  }

  /// Returns whether it exited by itself with code 0.
  public boolean isGood() {
    return ended.equals(new Ended.Exited(0));
  }
}
