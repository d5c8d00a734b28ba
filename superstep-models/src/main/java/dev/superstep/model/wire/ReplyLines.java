package dev.superstep.model.wire;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The lines of a stream, each no longer than it may be. One thread at a time.
final class ReplyLines {
  private static final int CHUNK = 8 * 1024;

  private final InputStream body;
  private final ReplyMeter intake;
  private final byte[] chunk = new byte[CHUNK];
  private int at;
  private int end;
  private byte[] line = new byte[256];
  private int length;
  private long held;
  private boolean afterReturn;

  ReplyLines(InputStream body, ReplyMeter intake) {
    this.body = body;
    this.intake = intake;
  }

  /// The next line without its end; null after the last.
  @Nullable String next() throws IOException {
    length = 0;
    boolean isAny = false;
    while (at < end || fill()) {
      if (afterReturn && chunk[at] == '\n') at++;
      afterReturn = false;
      int from = at;
      while (at < end && chunk[at] != '\n' && chunk[at] != '\r') at++;
      add(from, at);
      isAny |= at > from;
      if (at == end) continue;
      afterReturn = chunk[at++] == '\r';
      return text();
    }
    return isAny ? text() : null;
  }

  private boolean fill() throws IOException {
    end = Math.max(0, body.read(chunk));
    at = 0;
    intake.received(end);
    return end > 0;
  }

  private void add(int from, int to) {
    int more = to - from;
    intake.line((long) length + more);
    if (length + more > line.length) {
      int larger =
          Math.max(length + more, (int) Math.min(2L * line.length, Integer.MAX_VALUE - 16));
      // The new one beside the old one, and the text that is made of it.
      intake.hold(2L * (larger - line.length));
      held += 2L * (larger - line.length);
      line = Arrays.copyOf(line, larger);
    }
    System.arraycopy(chunk, from, line, length, more);
    length += more;
  }

  private String text() {
    var text = new String(line, 0, length, UTF_8);
    if (line.length > CHUNK) {
      line = new byte[256];
      intake.release(held);
      held = 0;
    }
    return text;
  }
}
