package dev.superstep.middleware;

import dev.superstep.tool.ToolResult;

/// Long texts for models, a page at a time.
final class TextPages {
  private TextPages() {}

  /// The page that begins at a character, and how to get the next.
  static ToolResult page(String text, int from, int most) {
    if (from < 0 || (from >= text.length() && from > 0)) {
      return ToolResult.error("`from` must be 0 to %d.".formatted(Math.max(0, text.length() - 1)));
    }
    int start = Excerpt.whole(text, from);
    int end = Excerpt.whole(text, Math.min(text.length(), start + most));
    var page = text.substring(start, end);
    if (end == text.length()) return ToolResult.of(page);
    return ToolResult.of(
        "%s\n[%d of %d characters; the next page is from %d]"
            .formatted(page, end - start, text.length(), end));
  }
}
