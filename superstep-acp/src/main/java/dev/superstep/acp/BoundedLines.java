package dev.superstep.acp;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// Reads lines. Of one that is too long nothing is kept, and the next one can be read. For one
/// thread.
final class BoundedLines {
  private static final int BUFFER = 16 << 10;

  private final InputStream in;
  private final int most;
  private final byte[] buffer = new byte[BUFFER];
  private int start;
  private int end;

  /// @param most bytes of a line
  BoundedLines(InputStream in, int most) {
    this.in = in;
    this.most = most;
  }

  /// A line.
  ///
  /// @param text without the end of the line; empty if it is too long
  record Line(String text, boolean isTooLong) {}

  /// The next line, or null at the end of all.
  @Nullable Line next() throws IOException {
    var kept = new ByteArrayOutputStream();
    boolean isTooLong = false;
    while (true) {
      int stop = start;
      while (stop < end && buffer[stop] != '\n') stop++;
      isTooLong |= kept.size() + stop - start > most;
      if (isTooLong) kept.reset();
      else kept.write(buffer, start, stop - start);
      boolean isWhole = stop < end;
      start = isWhole ? stop + 1 : stop;
      if (isWhole) return new Line(text(kept), isTooLong);
      end = in.read(buffer);
      start = 0;
      if (end < 0) {
        end = 0;
        return kept.size() == 0 && !isTooLong ? null : new Line(text(kept), isTooLong);
      }
    }
  }

  private static String text(ByteArrayOutputStream kept) {
    var text = kept.toString(StandardCharsets.UTF_8);
    return text.endsWith("\r") ? text.substring(0, text.length() - 1) : text;
  }
}
