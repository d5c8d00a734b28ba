package dev.superstep.store;

import dev.superstep.json.SuperstepException;

/// Something cannot be a part of an item in a store: a label of a namespace, a key, a value or the
/// path of a filter. Nothing was written.
public final class InvalidItem extends SuperstepException {
  private static final int SHOWN_MAX = 60;
  private final String part;

  /// @param part which part, as a person would name it
  /// @param text what it is; shown shortened
  /// @param why a sentence that says what is wrong and what to do
  InvalidItem(String part, String text, String why) {
    super("store.invalid-item", "The " + part + " `" + quote(text) + "` " + why);
    this.part = part;
  }

  /// Which part it is: `key`, `value`, `label`, `namespace` or `path`.
  public String part() {
    return part;
  }

  private static String quote(String text) {
    var shown = new StringBuilder();
    text.codePoints()
        .limit(SHOWN_MAX)
        .forEach(point -> {
          boolean odd = Character.isISOControl(point) || Character.getType(point) == 19;
          if (odd) shown.append("\\u%04x".formatted(point));
          else shown.appendCodePoint(point);
        });
    return text.codePointCount(0, text.length()) > SHOWN_MAX ? shown + "..." : shown.toString();
  }
}
