package dev.superstep.model;

import dev.superstep.json.SuperstepException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// A file of recorded replies cannot be read.
public final class MalformedRecording extends SuperstepException {
  private final String file;
  private final int line;

  MalformedRecording(Path file, int line, String why, @Nullable Throwable cause) {
    super(
        "model.malformed-recording",
        "Recording " + file + ", line " + line + ": " + why + " Record it again, or mend the line.",
        cause);
    this.file = file.toString();
    this.line = line;
  }

  /// Where the file is.
  public String file() {
    return file;
  }

  /// The line, counted from 1.
  public int line() {
    return line;
  }
}
