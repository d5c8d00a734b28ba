package dev.superstep.terminal.transcript;

import dev.superstep.json.SuperstepException;
import java.nio.file.Path;

/// Another one writes the transcript. Nothing was added.
public final class TranscriptBusy extends SuperstepException {
  TranscriptBusy(Path file) {
    super(
        "terminal.transcript-busy",
        "The transcript `%s` is being written by another one. Try again, or read it."
            .formatted(file));
  }
}
