package dev.superstep.model.local;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// The lines that a child writes; of one that is too long only the beginning. One thread at a time.
final class PipeLines {
  /// More than any answer has: each is a piece of a few characters.
  static final int LINE_MAX = 1024 * 1024;

  private final InputStream pipe;
  private final ByteArrayOutputStream line = new ByteArrayOutputStream();
  private boolean isCut;

  PipeLines(InputStream pipe) {
    this.pipe = new BufferedInputStream(pipe);
  }

  /// The next line; null after the last.
  @Nullable String next() throws IOException {
    line.reset();
    isCut = false;
    int at = pipe.read();
    if (at < 0) return null;
    for (; at >= 0 && at != '\n'; at = pipe.read()) {
      if (line.size() < LINE_MAX) line.write(at);
      else isCut = true;
    }
    return line.toString(StandardCharsets.UTF_8).stripTrailing();
  }

  /// Returns true if the last line was cut.
  boolean isCut() {
    return isCut;
  }
}
