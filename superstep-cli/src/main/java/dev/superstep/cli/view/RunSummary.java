package dev.superstep.cli.view;

import dev.superstep.cli.host.ExitCodes;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// The state of a thread when the command ends.
///
/// @param text what the program says of its result; empty unless completed
public record RunSummary(
    Kind kind,
    ThreadLocation place,
    RunManifest manifest,
    List<OpenQuestion> questions,
    Optional<String> text) {
  /// The ways to end without an error.
  public enum Kind {
    COMPLETED(ExitCodes.COMPLETED),
    INTERRUPTED(ExitCodes.INTERRUPTED),
    STOPPED(ExitCodes.INTERRUPTED);

    private final int exit;

    Kind(int exit) {
      this.exit = exit;
    }

    public int exit() {
      return exit;
    }

    String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /// Returns the command that resumes the thread, unless it is completed.
  Optional<String> resume() {
    return kind == Kind.COMPLETED ? Optional.empty() : Optional.of(place.resume());
  }
}
