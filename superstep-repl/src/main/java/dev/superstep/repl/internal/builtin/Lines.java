package dev.superstep.repl.internal.builtin;

import dev.superstep.repl.internal.value.Iter;
import dev.superstep.repl.internal.value.Meter;
import dev.superstep.repl.internal.value.Str;
import dev.superstep.repl.internal.value.TextValue;
import dev.superstep.repl.internal.value.Value;
import org.jspecify.annotations.Nullable;

/// The lines of a large text, one after another, without their ends. Ends of lines are `\n` and
/// `\r\n`.
final class Lines extends Iter {
  private final TextValue text;
  private String window = "";
  private int at;
  private long read;
  private long position;
  private long start;
  private long length;
  private String line = "";

  Lines(TextValue text) {
    this.text = text;
  }

  /// Goes to the next line; returns whether there is one.
  boolean advance(Meter m) {
    if (at >= window.length() && read >= text.length()) return false;
    start = position;
    StringBuilder more = null;
    while (true) {
      if (at >= window.length()) {
        if (read >= text.length()) {
          line = more == null ? "" : more.toString();
          break;
        }
        long end = Math.min(text.length(), read + TextValue.WINDOW);
        window = text.piece(m, read, end);
        read = end;
        at = 0;
      }
      int found = window.indexOf('\n', at);
      int to = found < 0 ? window.length() : found;
      m.tick(1);
      m.charge(48 + 4L * (to - at));
      var part = window.substring(at, to);
      position += part.codePointCount(0, part.length());
      at = found < 0 ? to : to + 1;
      if (found >= 0) position++;
      if (found >= 0 && more == null) {
        line = part;
        break;
      }
      if (more == null) more = new StringBuilder();
      more.append(part);
      if (found >= 0) {
        line = more.toString();
        break;
      }
    }
    length = position - start;
    if (line.endsWith("\r")) line = line.substring(0, line.length() - 1);
    return true;
  }

  String line() {
    return line;
  }

  /// The position of the line.
  long start() {
    return start;
  }

  /// The number of code points of the line, with its end.
  long length() {
    return length;
  }

  @Override
  public @Nullable Value next(Meter m) {
    return advance(m) ? Str.of(m, line) : null;
  }

  @Override
  public Object[] keeps() {
    return new Object[] {text};
  }

  @Override
  public String typeName() {
    return "line_iterator";
  }
}
