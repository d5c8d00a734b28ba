package dev.superstep.cli.command;

import dev.superstep.cli.host.Terminal;
import dev.superstep.cli.screen.CellText;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.regex.Pattern;

/// Prints help on terminals that are narrower than what the help is made for: lines that are too
/// long are wrapped at words, under where their text begins. One thread at a time.
final class HelpWriter extends PrintWriter {
  private static final Pattern BEGIN = Pattern.compile("^ *(\\S+( \\S+)* {2,})?");

  private static final int ROOM_MIN = 16;
  private static final int NARROW_INDENT = 4;

  private final Terminal terminal;
  private final StringWriter text;

  HelpWriter(Terminal terminal) {
    this(terminal, new StringWriter());
  }

  private HelpWriter(Terminal terminal, StringWriter text) {
    super(text);
    this.terminal = terminal;
    this.text = text;
  }

  @Override
  public void flush() {
    super.flush();
    var out = terminal.out();
    var all = text.toString();
    text.getBuffer().setLength(0);
    var columns = terminal.display().columns();
    // Colours are made of characters that take no cells.
    if (columns.isEmpty() || all.indexOf('\u001b') >= 0) out.print(all);
    else out.print(fitted(all, columns.get()));
    out.flush();
  }

  private static String fitted(String all, int width) {
    var fitted = new StringBuilder();
    for (var line : all.split("(?<=\n)", -1)) fit(line, width, fitted);
    return fitted.toString();
  }

  private static void fit(String line, int width, StringBuilder into) {
    if (CellText.width(line.stripTrailing()) <= width) {
      into.append(line);
      return;
    }
    var begin = BEGIN.matcher(line);
    int indent = begin.find() ? begin.end() : 0;
    if (indent > width - ROOM_MIN) indent = NARROW_INDENT;
    var first = line.substring(0, Math.min(indent, line.length()));
    var parts = CellText.wrapped(line.substring(first.length()).stripTrailing(), width - indent);
    for (int i = 0; i < parts.size(); i++) {
      into.append(i == 0 ? first : " ".repeat(indent)).append(parts.get(i)).append('\n');
    }
  }
}
