package dev.superstep.skills;

import dev.superstep.json.SuperstepException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// The file of confirmations cannot be used. It does not count as empty, nor as a yes.
public final class UnusableConfirmations extends SuperstepException {
  private final transient Path file;

  UnusableConfirmations(Path file, String why, @Nullable Exception cause) {
    super(
        "skill.confirmations-unusable",
        "The confirmations in `%s` cannot be used: %s.".formatted(file, why),
        cause);
    this.file = file;
  }

  /// The file.
  public Path file() {
    return file;
  }
}
