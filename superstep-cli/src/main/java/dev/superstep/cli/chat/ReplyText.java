package dev.superstep.cli.chat;

import dev.superstep.cli.host.ForeignText;
import dev.superstep.cli.screen.CellText;
import java.util.function.Consumer;

/// Text of a model as it arrives, for a terminal: each line stands behind a bar and fits, so that
/// none passes for a line of this command. Words appear when they are complete. Invisible
/// characters and lookalikes are spelled out. One thread at a time.
final class ReplyText {
  private static final String BAR = "| ";
  private static final int WIDTH_MIN = 10;

  private final Consumer<String> out;
  private final int width;
  private final StringBuilder word = new StringBuilder();
  private int column;
  private boolean isOpen;
  private boolean isMarked;

  /// @param columns of the terminal
  ReplyText(Consumer<String> out, int columns) {
    this.out = out;
    this.width = Math.max(WIDTH_MIN, columns - 1 - BAR.length());
  }

  /// Shows what is complete of the text so far.
  void add(String piece) {
    piece.codePoints().forEach(this::add);
  }

  /// Returns whether a line was begun and not ended.
  boolean isOpen() {
    return isOpen || !word.isEmpty();
  }

  /// Ends the text.
  void end() {
    endWord();
    if (isOpen) endLine();
    if (isMarked) out.accept(ForeignText.MARKED + "\n");
    isMarked = false;
  }

  private void add(int c) {
    if (c == '\n') {
      if (!word.isEmpty() && word.charAt(word.length() - 1) == '\r') {
        word.setLength(word.length() - 1);
      }
      endWord();
      endLine();
    } else if (c == ' ' || c == '\t') {
      endWord();
      blank();
    } else {
      word.appendCodePoint(c);
      if (word.length() >= width) endWord();
    }
  }

  private void blank() {
    if (isOpen && column + 1 >= width) {
      endLine();
      return;
    }
    print(" ", 1);
  }

  private void endWord() {
    if (word.isEmpty()) return;
    var plain = word.toString();
    word.setLength(0);
    var shown = ForeignText.spelledOut(plain);
    isMarked |= !shown.equals(plain);
    if (isOpen && column > 0 && column + CellText.width(shown) > width) endLine();
    shown
        .codePoints()
        .forEach(c -> {
          int cells = CellText.width(Character.toString(c));
          if (column + cells > width) endLine();
          print(Character.toString(c), cells);
        });
  }

  private void print(String text, int cells) {
    if (!isOpen) out.accept(BAR);
    isOpen = true;
    out.accept(text);
    column += cells;
  }

  private void endLine() {
    out.accept(isOpen ? "\n" : BAR.stripTrailing() + "\n");
    isOpen = false;
    column = 0;
  }
}
