package dev.superstep.cli.view;

import dev.superstep.cli.host.ExitCodes;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// How a thread stands when the command ends.
///
/// @param text what the program says of its result; empty unless completed
public record RunSummary(
    Kind kind, ThreadLocation place, RunManifest kept, List<OpenQuestion> questions, Optional<String> text) {
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

  /// The command that goes on, unless nothing is left to do.
  Optional<String> resume() {
    return kind == Kind.COMPLETED ? Optional.empty() : Optional.of(place.resume());
  }
}
