package dev.superstep.tool.search;

import dev.superstep.model.ToolSpec;
import java.util.List;
import java.util.Locale;

/// Finds tools whose names fit patterns with `*`; ranks other queries by words. Takes a time that
/// grows with the product of the lengths of pattern and name, both of which are limited. Immutable.
record PatternRanking() implements ToolRanking {
  private static final int PATTERNS_MAX = 20;
  private static final int LENGTH_MAX = 200;

  private static final ToolRanking WORDS = new WordRanking();

  @Override
  public String queryDescription() {
    return "What the tool should do, in a few words, or patterns of its name, such as"
        + " `*_invoice` or `get_*|list_*`.";
  }

  @Override
  public List<ToolSpec> rank(String query, List<ToolSpec> tools) throws InterruptedException {
    if (query.indexOf('*') < 0) return WORDS.rank(query, tools);
    var patterns =
        List.of(query.split("[|\\s]+")).stream()
            .filter(pattern -> !pattern.isEmpty() && pattern.length() <= LENGTH_MAX)
            .map(pattern -> pattern.toLowerCase(Locale.ROOT))
            .limit(PATTERNS_MAX)
            .toList();
    return tools.stream().filter(tool -> fits(patterns, tool.name())).toList();
  }

  private static boolean fits(List<String> patterns, String name) {
    if (name.length() > LENGTH_MAX) return false;
    var lower = name.toLowerCase(Locale.ROOT);
    return patterns.stream().anyMatch(pattern -> fits(pattern, lower));
  }

  /// Only the last `*` is ever tried again, so this cannot take exponential time.
  private static boolean fits(String pattern, String text) {
    int at = 0;
    int star = -1;
    int resumed = 0;
    for (int i = 0; i < text.length(); ) {
      if (at < pattern.length() && pattern.charAt(at) == '*') {
        star = at++;
        resumed = i;
      } else if (at < pattern.length() && pattern.charAt(at) == text.charAt(i)) {
        at++;
        i++;
      } else if (star >= 0) {
        at = star + 1;
        i = ++resumed;
      } else {
        return false;
      }
    }
    while (at < pattern.length() && pattern.charAt(at) == '*') at++;
    return at == pattern.length();
  }
}
