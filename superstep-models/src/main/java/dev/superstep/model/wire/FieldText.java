package dev.superstep.model.wire;

import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/// Takes the value out of `{"value": …}` while it arrives in pieces. A text of another form passes
/// unchanged. One thread at a time.
final class FieldText {
  private static final Pattern HEAD =
      Pattern.compile("\\s*(```(json)?\\s*)?\\{\\s*\"" + WrappedSchema.FIELD + "\"\\s*:\\s*");

  private static final Pattern BLANKS = Pattern.compile("\\s+");
  private static final String FIELD = "{\"" + WrappedSchema.FIELD + "\":";
  private static final List<String> HEADS = List.of(FIELD, "```" + FIELD, "```json" + FIELD);

  private static final Pattern TAIL = Pattern.compile("\\s*\\}\\s*(```)?\\s*");

  private final Consumer<String> to;
  private final StringBuilder pending = new StringBuilder();
  private State state = State.HEAD;

  private enum State {
    HEAD,
    VALUE,
    OTHER
  }

  /// @param to receives the pieces of the value; none is empty
  FieldText(Consumer<String> to) {
    this.to = to;
  }

  /// The next piece.
  void add(String piece) {
    pending.append(piece);
    if (state == State.HEAD) begin();
    switch (state) {
      case HEAD -> {}
      case OTHER -> pass(pending.length());
      // The last brace may be the one around the value.
      case VALUE -> pass(Math.max(0, lastBrace()));
    }
  }

  private void begin() {
    var head = HEAD.matcher(pending);
    if (head.lookingAt()) {
      // Blanks after the colon may follow in the next piece; they are part of the value then.
      pending.delete(0, head.end());
      state = State.VALUE;
    } else if (!mayBecomeHead()) {
      state = State.OTHER;
    }
  }

  private boolean mayBecomeHead() {
    var text = BLANKS.matcher(pending).replaceAll("");
    return HEADS.stream().anyMatch(head -> head.startsWith(text));
  }

  private int lastBrace() {
    int brace = pending.lastIndexOf("}");
    if (brace < 0) return pending.length();
    while (brace > 0 && Character.isWhitespace(pending.charAt(brace - 1))) brace--;
    return brace;
  }

  private void pass(int length) {
    if (length == 0) return;
    var piece = pending.substring(0, length);
    pending.delete(0, length);
    to.accept(piece);
  }

  /// The end of the text.
  void end() {
    if (state == State.VALUE && TAIL.matcher(pending).matches()) pending.setLength(0);
    pass(pending.length());
  }
}
