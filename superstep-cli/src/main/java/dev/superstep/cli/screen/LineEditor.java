package dev.superstep.cli.screen;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// A text that a person types and changes. One thread at a time.
public final class LineEditor {
  private static final int LENGTH_MAX = 100_000;

  private final StringBuilder text;
  private final List<String> history;
  private int at;
  private int recalled;

  /// @param begin what stands there at first
  /// @param history earlier texts, the newest last
  public LineEditor(String begin, List<String> history) {
    this.text = new StringBuilder(begin);
    this.at = begin.length();
    this.history = List.copyOf(history);
    this.recalled = history.size();
  }

  /// Changes the text by a key. [Key.Named#ENTER] and others that end it change nothing.
  void press(Key key) {
    switch (key) {
      case Key.Typed(int c) -> insert(Character.toString(c));
      case Key.Pasted(var pasted) -> insert(pasted.replace("\r\n", "\n").replace('\r', '\n'));
      case Key.Named named -> press(named);
    }
  }

  private void press(Key.Named key) {
    switch (key) {
      case BACKSPACE -> delete(before(), at);
      case DELETE -> delete(at, after());
      case LEFT -> at = before();
      case RIGHT -> at = after();
      case HOME -> at = 0;
      case END -> at = text.length();
      case ERASE -> delete(0, at);
      case UP -> recall(recalled - 1);
      case DOWN -> recall(recalled + 1);
      case ENTER, PAGE_UP, PAGE_DOWN, TAB, ESCAPE, INTERRUPT, END_OF_TEXT -> {}
      case RESIZED, CLOSED, UNKNOWN -> {}
    }
  }

  public String text() {
    return text.toString();
  }

  /// The text behind a prompt.
  List<ScreenLine> lines(String prompt, int width) {
    return ScreenLine.foreign(prompt + text, "", Style.STRONG, width);
  }

  /// The place of the next character in [#lines].
  Painter.Cursor cursor(String prompt, int width) {
    var before = ScreenLine.typed(prompt + text.substring(0, at), "", Style.STRONG, width);
    return new Painter.Cursor(before.size() - 1, ScreenLine.width(before.getLast().text()));
  }

  private void insert(String more) {
    if (text.length() + more.length() > LENGTH_MAX) return;
    text.insert(at, more);
    at += more.length();
  }

  private void delete(int from, int to) {
    text.delete(from, to);
    at = from;
  }

  private int before() {
    return at == 0 ? 0 : text.offsetByCodePoints(at, -1);
  }

  private int after() {
    return at == text.length() ? at : text.offsetByCodePoints(at, 1);
  }

  private void recall(int index) {
    if (index < 0 || index > history.size()) return;
    recalled = index;
    var line = index == history.size() ? "" : history.get(index);
    text.setLength(0);
    text.append(line);
    at = line.length();
  }

  /// The end of what somebody typed.
  ///
  /// @param text `null` if it was given up
  /// @param isClosed whether the terminal is gone
  public record Entry(@Nullable String text, boolean isClosed) {}
}
