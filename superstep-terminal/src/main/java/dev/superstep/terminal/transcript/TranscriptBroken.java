package dev.superstep.terminal.transcript;

import dev.superstep.json.SuperstepException;
import java.nio.file.Path;

/// A transcript whose chain does not hold. It can be read, and is not added to.
public final class TranscriptBroken extends SuperstepException {
  private final Transcript.Break where;

  TranscriptBroken(Path file, Transcript.Break where) {
    super(
        "terminal.transcript-broken",
        "The transcript `%s` was changed: line %d: %s. Keep it, and export to another file."
            .formatted(file, where.line(), where.reason()));
    this.where = where;
  }

  /// Where it breaks.
  public Transcript.Break where() {
    return where;
  }
}
