package dev.superstep.cli.screen;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// Draws a block of lines at the end of what was printed, and draws it again when it changes. What
/// stands above is left alone. One thread at a time.
public final class Painter {
  /// On a screen with fewer rows, all of them are needed for what is asked.
  static final int PINNED_ROWS_MIN = 16;

  private static final int PINNED_LINES_MAX = 3;
  private static final String ERASED = "\u001b[2K";

  private final ScreenDevice device;
  private final Looks looks;
  private List<ScreenLine> drawn = List.of();
  // Of the cursor, in the block.
  private int row;
  private String bottom = "";
  private int bottomRows;

  /// @param looks what the terminal and the person can take
  public Painter(ScreenDevice device, Looks looks) {
    this.device = device;
    this.looks = looks;
  }

  /// The means of drawing.
  public enum Looks {
    COLORS,
    /// Lines are drawn over, without colours.
    NO_COLORS,
    /// Lines are only added, for screen readers and simple terminals.
    PLAIN
  }

  ScreenSize size() {
    return device.size();
  }

  Looks looks() {
    return looks;
  }

  /// A place in a block.
  public record Cursor(int row, int column) {}

  /// Draws the block in place of the one before. The cursor stands behind its last line.
  public void draw(List<ScreenLine> block) throws IOException {
    draw(block, end(block));
  }

  /// Draws the block in place of the one before.
  public void draw(List<ScreenLine> block, Cursor cursor) throws IOException {
    if (looks == Looks.PLAIN) {
      append(block);
    } else {
      device.write(erased() + text(block) + place(block, cursor));
      row = Math.min(cursor.row(), block.size() - 1);
    }
    drawn = List.copyOf(block);
  }

  private static Cursor end(List<ScreenLine> block) {
    return new Cursor(block.size() - 1, ScreenLine.width(block.getLast().text()));
  }

  private static String place(List<ScreenLine> block, Cursor cursor) {
    if (cursor.equals(end(block))) return "";
    var right = cursor.column() == 0 ? "" : "\u001b[" + cursor.column() + "C";
    return "\r" + up(block.size() - 1 - cursor.row()) + right;
  }

  /// Erases the block and stays at its first line. Not to the end of the screen, where something
  /// may be kept.
  private String erased() {
    var text = new StringBuilder("\r" + up(row) + ERASED);
    for (int i = 1; i < drawn.size(); i++) text.append("\u001b[B").append(ERASED);
    return text + up(drawn.size() - 1);
  }

  private static String up(int rows) {
    return rows <= 0 ? "" : "\u001b[" + rows + "A";
  }

  private static String down(int rows) {
    return rows <= 0 ? "" : "\u001b[" + rows + "B";
  }

  /// Keeps a line at the bottom of the screen, in as many rows as it takes.
  ///
  /// @param text empty to keep nothing any more
  /// @return whether it is there: on a small or simple screen it is not
  public boolean pin(String text) throws IOException {
    int rows = device.size().rows() + bottomRows;
    List<ScreenLine> lines =
        text.isEmpty()
            ? List.of()
            : ScreenLine.wrapped(text, Style.PLAIN, device.size().columns() - 1);
    boolean fits =
        looks != Looks.PLAIN && rows >= PINNED_ROWS_MIN && lines.size() <= PINNED_LINES_MAX;
    var shown = fits ? lines.stream().map(ScreenLine::text).toList() : List.<String>of();
    boolean isKept = looks != Looks.PLAIN && device.pin(shown, looks == Looks.COLORS);
    bottomRows = isKept ? shown.size() : 0;
    bottom = bottomRows > 0 ? text : "";
    return bottomRows > 0;
  }

  /// The line that is kept at the bottom; empty if none is.
  public String pinned() {
    return bottom;
  }

  /// Forgets where the block stands, because the terminal has laid out everything in another width.
  public void resized() throws IOException {
    if (looks != Looks.PLAIN) device.clear();
    drawn = List.of();
    row = 0;
    if (bottom.isEmpty()) return;
    var text = bottom;
    // What does not fit any more has to be seen all the same.
    if (!pin(text)) print(ScreenLine.wrapped(text, Style.STRONG, device.size().columns() - 1));
  }

  /// Leaves the block where it is and goes on below it.
  public void end() throws IOException {
    if (!drawn.isEmpty()) device.write(down(drawn.size() - 1 - row) + "\r\n");
    drawn = List.of();
    row = 0;
  }

  /// Removes the block.
  public void clear() throws IOException {
    if (looks == Looks.PLAIN) end();
    else if (!drawn.isEmpty()) device.write(erased());
    drawn = List.of();
    row = 0;
  }

  /// Prints lines that stay.
  public void print(List<ScreenLine> lines) throws IOException {
    if (lines.isEmpty()) return;
    device.write(text(lines) + "\r\n");
  }

  private String text(List<ScreenLine> lines) {
    var texts = new ArrayList<String>();
    for (var line : lines) {
      texts.add(looks == Looks.COLORS ? line.style().of(line.text()) : line.text());
    }
    return String.join("\r\n", texts);
  }

  /// Adds the lines from the first that differs; or only what was typed at the end of the last.
  private void append(List<ScreenLine> block) throws IOException {
    row = block.size() - 1;
    int same = 0;
    while (same < Math.min(block.size(), drawn.size()) && block.get(same).equals(drawn.get(same))) {
      same++;
    }
    boolean isLast = same == block.size() - 1 && same == drawn.size() - 1;
    if (same == block.size() && same == drawn.size()) return;
    if (isLast && block.getLast().text().startsWith(drawn.getLast().text())) {
      device.write(block.getLast().text().substring(drawn.getLast().text().length()));
    } else {
      var begin = drawn.isEmpty() ? "" : "\r\n";
      device.write(begin + text(block.subList(Math.min(same, block.size() - 1), block.size())));
    }
  }
}
