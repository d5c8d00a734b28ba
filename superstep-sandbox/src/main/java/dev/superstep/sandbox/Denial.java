package dev.superstep.sandbox;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A guess that the sandbox refused something, read from what the command wrote to its error
/// output. A command can write there what it likes, and one that is refused something may say
/// nothing. Immutable.
///
/// @param kind the kind of thing that was refused
/// @param reason the words of the system, such as `Permission denied`
/// @param path the path in the line; null if none was found
/// @param line the line, cut if it is long
public record Denial(Kind kind, String reason, @Nullable String path, String line) {
  /// The kind of a denial.
  public enum Kind {
    /// Reading, writing or executing a file, or changing its owner, mode or times.
    FILE,
    /// Reaching a host.
    NETWORK,
    /// Anything else, such as a system call.
    OPERATION
  }

  /// The path in the line, if one was found.
  public Optional<String> file() {
    return Optional.ofNullable(path);
  }

  /// Always says that it is a guess.
  @Override
  public String toString() {
    return "guess: %s refused%s: %s"
        .formatted(
            switch (kind) {
              case FILE -> "file access";
              case NETWORK -> "network access";
              case OPERATION -> "an operation";
            },
            path == null ? "" : " at " + path,
            reason);
  }
}
