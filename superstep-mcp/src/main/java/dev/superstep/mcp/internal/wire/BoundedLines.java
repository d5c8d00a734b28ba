package dev.superstep.mcp.internal.wire;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// Reads lines that may not be too long. For one thread.
public final class BoundedLines {
  private static final int BUFFER = 16 << 10;

  private final InputStream in;
  private final int most;
  private final byte[] buffer = new byte[BUFFER];
  private int start;
  private int end;

  /// @param most bytes of a line
  public BoundedLines(InputStream in, int most) {
    this.in = in;
    this.most = most;
  }

  /// A line that was longer than allowed. What follows it is lost, too.
  public static final class TooLong extends IOException {
    private static final long serialVersionUID = 1;

    /// @param most bytes of a line
    public TooLong(int most) {
      super("a line has more than " + most + " bytes");
    }
  }

  /// The next line without its end, or null at the end of all.
  ///
  /// @throws TooLong if it is longer than allowed
  public @Nullable String next() throws IOException {
    var line = new ByteArrayOutputStream();
    while (true) {
      for (int i = start; i < end; i++) {
        if (buffer[i] == '\n') {
          var text = taken(line, i);
          start = i + 1;
          return text;
        }
      }
      if (line.size() + end - start > most) throw new TooLong(most);
      line.write(buffer, start, end - start);
      start = 0;
      end = in.read(buffer);
      if (end < 0) {
        end = 0;
        return line.size() == 0 ? null : line.toString(StandardCharsets.UTF_8);
      }
    }
  }

  private String taken(ByteArrayOutputStream line, int until) throws TooLong {
    line.write(buffer, start, until - start);
    if (line.size() > most) throw new TooLong(most);
    var text = line.toString(StandardCharsets.UTF_8);
    return text.endsWith("\r") ? text.substring(0, text.length() - 1) : text;
  }
}
