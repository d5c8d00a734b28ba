package dev.superstep.model.wire;

/// Takes the thoughts out of a text that begins with `<think>`, as local models write it when their
/// server does not. Text in which the tags come later is left as it is: it may be about them. One
/// thread at a time.
final class ThinkTags {
  private static final String OPEN = "<think>";
  private static final String CLOSE = "</think>";

  private final Draft draft;
  private final StringBuilder held = new StringBuilder();
  private State state = State.START;
  // Where the blanks at the beginning end.
  private int inked;

  private enum State {
    START,
    THINKING,
    BEFORE_TEXT,
    TEXT
  }

  ThinkTags(Draft draft) {
    this.draft = draft;
  }

  /// Adds the next piece. A possible part of a tag is withheld.
  void add(String piece) {
    if (state == State.TEXT) {
      draft.text(piece);
      return;
    }
    if (state == State.START) draft.holds(piece);
    held.append(piece);
    if (state == State.START) start();
    if (state == State.THINKING) think();
    if (state == State.BEFORE_TEXT) beforeText();
  }

  /// Ends the text, and emits withheld text as thinking or plain text.
  void end() {
    if (held.isEmpty()) return;
    if (state == State.THINKING) {
      draft.thinking(held.toString());
    } else if (state == State.START) {
      draft.text(held.toString());
    }
    held.setLength(0);
  }

  private void start() {
    while (inked < held.length() && Character.isWhitespace(held.charAt(inked))) inked++;
    var text = held.substring(inked, Math.min(held.length(), inked + OPEN.length()));
    if (text.equals(OPEN)) {
      held.delete(0, inked + OPEN.length());
      state = State.THINKING;
    } else if (!OPEN.startsWith(text)) {
      state = State.TEXT;
      draft.text(held.toString());
      held.setLength(0);
    }
  }

  private void think() {
    int close = held.indexOf(CLOSE);
    if (close >= 0) {
      draft.thinking(held.substring(0, close));
      held.delete(0, close + CLOSE.length());
      state = State.BEFORE_TEXT;
      return;
    }
    int sure = held.length() - startOfClose();
    draft.thinking(held.substring(0, sure));
    held.delete(0, sure);
  }

  // How much of the end may be the beginning of a closing tag.
  private int startOfClose() {
    for (int length = Math.min(held.length(), CLOSE.length() - 1); length > 0; length--) {
      if (CLOSE.startsWith(held.substring(held.length() - length))) return length;
    }
    return 0;
  }

  private void beforeText() {
    var text = held.toString().stripLeading();
    held.setLength(0);
    if (text.isEmpty()) return;
    state = State.TEXT;
    draft.text(text);
  }
}
