package dev.superstep.cli.screen;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/// A question under a text: shows the text in as many lines as there are, scrolls it, and waits for
/// a key. Keys that came before anybody could read the question are dropped, and a paste is no key.
/// One thread at a time.
public final class BlockDialog {
  /// At most as many lines are shown at once, however high the screen is.
  static final int BODY_MAX = 20;

  private static final int BODY_MIN = 2;
  private static final int GAP = 2;
  private static final String EARLY = "Keys that came before this could be read are dropped.";
  private static final String PASTED = "Pasted text answers nothing here: press one key.";

  private final Painter painter;
  private final KeyReader keys;
  private final Content content;
  private int offset;
  private boolean isEndSeen;
  // Keys count: shown by the prompt.
  private boolean isReady;
  private String hint = "";

  /// A text and what may be answered.
  ///
  /// @param body the lines for a width
  /// @param choices the keys that are taken
  /// @param locked a key that does nothing before the end of the text has been shown; 0 for none
  public record Content(IntFunction<List<ScreenLine>> body, List<KeyChoice> choices, char locked) {
    public Content {
      choices = List.copyOf(choices);
    }
  }

  public BlockDialog(Painter painter, KeyReader keys, Content content) {
    this.painter = painter;
    this.keys = keys;
    this.content = content;
  }

  /// Says something at the next drawing.
  void hint(String text) {
    hint = text;
  }

  /// Shows the text and waits for a choice.
  ///
  /// @return a key of the choices, or [Key.Named#INTERRUPT] or [Key.Named#CLOSED]
  public Key choose() throws IOException {
    isReady = false;
    draw();
    if (keys.settle()) hint = EARLY;
    isReady = true;
    draw();
    while (true) {
      var key = keys.next();
      hint = "";
      switch (key) {
        case Key.Named.INTERRUPT, Key.Named.CLOSED -> {
          return key;
        }
        case Key.Named.RESIZED -> painter.resized();
        case Key.Named named -> scroll(named);
        case Key.Pasted _ -> hint = PASTED;
        case Key.Typed(int c) -> {
          if (c == ' ') scroll(Key.Named.PAGE_DOWN);
          else if (isTaken(c)) return key;
        }
      }
      draw();
    }
  }

  private boolean isTaken(int c) {
    boolean isKnown = content.choices().stream().anyMatch(choice -> choice.key() == c);
    if (!isKnown) {
      hint = "There is no answer `" + Character.toString(c) + "` here.";
      return false;
    }
    if (c != content.locked() || isEndSeen) return true;
    hint = "`" + content.locked() + "` works when you have seen the end: press space.";
    return false;
  }

  private void scroll(Key.Named key) {
    int page = height(lines().size());
    switch (key) {
      case PAGE_DOWN -> offset += page;
      case PAGE_UP -> offset -= page;
      case DOWN -> offset++;
      case UP -> offset--;
      case HOME -> offset = 0;
      case END -> offset = Integer.MAX_VALUE - BODY_MAX;
      case ENTER -> hint = "Enter answers nothing here: press one of the keys.";
      case BACKSPACE, DELETE, LEFT, RIGHT, TAB, ESCAPE, INTERRUPT, END_OF_TEXT -> {}
      case ERASE, RESIZED, CLOSED, UNKNOWN -> {}
    }
  }

  /// Has a line typed under the text.
  ///
  /// @param begin what stands there at first
  /// @param pastes whether pasted text is taken
  /// @return empty text too; `null` if it was given up
  @Nullable String line(String prompt, String begin, boolean pastes) throws IOException {
    var editor = new LineEditor(begin, List.of());
    hint = "";
    isReady = false;
    draw();
    if (keys.settle()) hint = EARLY;
    isReady = true;
    while (true) {
      drawLine(editor, prompt);
      var key = keys.next();
      hint = "";
      switch (key) {
        case Key.Named.ENTER -> {
          return editor.text();
        }
        case Key.Named.ESCAPE, Key.Named.INTERRUPT, Key.Named.CLOSED -> {
          return null;
        }
        case Key.Named.RESIZED -> painter.resized();
        case Key.Pasted _ when !pastes -> hint = "Pasted text is not taken here: type it.";
        case Key.Named _, Key.Pasted _, Key.Typed _ -> editor.press(key);
      }
    }
  }

  private List<ScreenLine> lines() {
    return content.body().apply(columns());
  }

  // The last column stays empty: a terminal may wrap a line that fills it.
  private int columns() {
    return painter.size().columns() - 1;
  }

  /// The lines of the text that fit above the keys and the prompt.
  private int height(int all) {
    int free = painter.size().rows() - footer().size() - prompt().size() - 1;
    if (all <= Math.min(free, BODY_MAX)) return all;
    return Math.min(all, Math.clamp(free - place(0, 0, all).size(), BODY_MIN, BODY_MAX));
  }

  private List<ScreenLine> prompt() {
    var mark = isReady ? "> " : "";
    var text = hint.isEmpty() ? mark : hint + " " + mark;
    return ScreenLine.wrapped(text, Style.PLAIN, columns());
  }

  private List<ScreenLine> place(int from, int to, int all) {
    var text = "-- %2d to %2d of %d, space scrolls --".formatted(from, to, all);
    return ScreenLine.wrapped(text, Style.FAINT, columns());
  }

  private void draw() throws IOException {
    var block = part();
    block.addAll(footer());
    block.addAll(prompt());
    int over = block.size() - painter.size().rows() + 1;
    // The window is too low to show all that has to be read.
    if (over > 0) isEndSeen = false;
    painter.draw(over <= 0 ? block : block.subList(over, block.size()));
  }

  private void drawLine(LineEditor editor, String prompt) throws IOException {
    var block = part();
    if (!hint.isEmpty()) block.addAll(ScreenLine.wrapped(hint, Style.WARNING, columns()));
    LinePrompt.draw(painter, block, editor, prompt);
  }

  /// The part of the text that is shown, with a line that says so if that is not all.
  private List<ScreenLine> part() {
    var all = lines();
    int height = height(all.size());
    offset = Math.clamp(offset, 0, all.size() - height);
    if (offset + height == all.size()) isEndSeen = true;
    var part = new ArrayList<>(all.subList(offset, offset + height));
    if (height < all.size()) part.addAll(place(offset + 1, offset + height, all.size()));
    return part;
  }

  private List<ScreenLine> footer() {
    var lines = new ArrayList<ScreenLine>();
    var current = new StringBuilder();
    for (var choice : content.choices()) {
      if (!current.isEmpty() && current.length() + choice.text().length() + GAP > columns()) {
        lines.add(new ScreenLine(current.toString(), Style.STRONG));
        current.setLength(0);
      }
      current.append(current.isEmpty() ? "" : "  ").append(choice.text());
    }
    lines.add(new ScreenLine(current.toString(), Style.STRONG));
    return lines;
  }
}
