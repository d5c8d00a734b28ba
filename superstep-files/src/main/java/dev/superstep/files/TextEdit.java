package dev.superstep.files;

import dev.superstep.tool.ToolError;

/// An exact replacement in a text. Immutable.
///
/// @param isEverywhere whether each occurrence is replaced; else there must be one
record TextEdit(String path, String old, String replacement, boolean isEverywhere) {
  private static final String WINDOWS_END = "\r\n";

  /// A text after an edit.
  record Edited(String text, int places) {}

  /// @throws ToolError.Other if the text does not have the old part, or has it too often
  Edited in(String text) {
    if (old.isEmpty()) throw failure("Say which text is to be replaced; `old` is empty.");
    if (old.equals(replacement)) throw failure("`old` and `new` are the same.");
    int places = count(text);
    if (places == 0) throw failure(missing(text));
    if (places > 1 && !isEverywhere) {
      throw failure(
          "The old text is there %d times. Give more of what is around it, or set `all`."
              .formatted(places));
    }
    return new Edited(text.replace(old, replacement), places);
  }

  private int count(String text) {
    int places = 0;
    for (int at = text.indexOf(old); at >= 0; at = text.indexOf(old, at + old.length())) places++;
    return places;
  }

  private String missing(String text) {
    boolean isByLineEnds =
        text.contains(WINDOWS_END) && text.replace(WINDOWS_END, "\n").contains(old);
    return isByLineEnds
        ? "The old text is there with other line ends: this file has \\r\\n."
        : "The old text is not there. Copy it from what you have read, blanks included.";
  }

  private ToolError failure(String why) {
    return new ToolError.Other(path, why);
  }
}
