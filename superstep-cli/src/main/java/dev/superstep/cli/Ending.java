package dev.superstep.cli;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// How a thread stands when the command ends.
///
/// @param text what the program says of its result; empty unless completed
record Ending(
    Kind kind, ThreadPlace place, Kept kept, List<OpenQuestion> questions, Optional<String> text) {
  /// The ways to end without an error.
  enum Kind {
    COMPLETED(Exit.COMPLETED),
    INTERRUPTED(Exit.INTERRUPTED),
    STOPPED(Exit.INTERRUPTED);

    private final int exit;

    Kind(int exit) {
      this.exit = exit;
    }

    int exit() {
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
