package dev.superstep.workspace.shell;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/// The end of a command in a shell.
///
/// @param end how it ended
/// @param text what it wrote, error output included, in the order in which it came; the middle of a
///   long one is missing
/// @param omittedBytes how many bytes of the middle are missing
public record ShellResult(End end, String text, long omittedBytes) {
  /// The way in which a command ended.
  public sealed interface End {
    /// The command ended, and the shell waits for the next one.
    ///
    /// @param code 0 for success
    /// @param directory the shell's working directory after it
    record Exited(int code, Path directory) implements End {}

    /// The command ended the shell itself, by `exit` for example. Variables, functions and the
    /// directory are gone.
    ///
    /// @param code the shell's exit code, where it is known
    record ShellEnded(Optional<Integer> code) implements End {}

    /// The command took too long. The shell was killed with everything that it had started.
    record TimedOut(Duration after) implements End {}

    /// The command wrote too much. The shell was killed with everything that it had started.
    record WroteTooMuch(long bytes) implements End {}
  }

  /// Returns whether a next command starts a new shell.
  public boolean isShellGone() {
    return !(end instanceof End.Exited);
  }
}
