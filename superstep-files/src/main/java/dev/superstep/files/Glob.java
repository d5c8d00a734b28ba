package dev.superstep.files;

import com.google.re2j.Pattern;
import dev.superstep.tool.ToolError;

/// Patterns of paths: `*` and `?` within a name, `**` over folders, `[a-z]`, `{a,b}`. A pattern
/// without `/` is for names in any folder. Matching takes time linear in the path.
final class Glob {
  private static final int LENGTH_MAX = 500;
  private static final String SPECIAL = "\\.+()|^$]}";

  private final Pattern pattern;

  private Glob(Pattern pattern) {
    this.pattern = pattern;
  }

  /// @throws ToolError.Other if it is no pattern
  static Glob of(String text) {
    if (text.isBlank() || text.length() > LENGTH_MAX) {
      throw new ToolError.Other(
          text, "A pattern has 1 to " + LENGTH_MAX + " characters, such as **/*.md.");
    }
    var plain = text.startsWith("./") ? text.substring(2) : text;
    var anywhere = plain.contains("/") ? plain : "**/" + plain;
    try {
      return new Glob(Pattern.compile(new Translation(anywhere).all(), Pattern.DOTALL));
    } catch (com.google.re2j.PatternSyntaxException | IllegalArgumentException e) {
      throw new ToolError.Other(
          text, "It is no pattern of paths: " + e.getMessage() + ". Write it as **/*.md.");
    }
  }

  boolean matches(String path) {
    return pattern.matches(path);
  }

  /// The translation of a pattern. One thread.
  private static final class Translation {
    private final String glob;
    private final StringBuilder regex = new StringBuilder();
    private int at;
    private int open;

    Translation(String glob) {
      this.glob = glob;
    }

    String all() {
      while (at < glob.length()) next(glob.charAt(at++));
      if (open > 0) throw new IllegalArgumentException("a `{` is not closed");
      return regex.toString();
    }

    private void next(char c) {
      switch (c) {
        case '*' -> stars();
        case '?' -> regex.append("[^/]");
        case '[' -> set();
        case '{' -> {
          open++;
          regex.append("(?:");
        }
        case '}', ',' -> ofChoice(c);
        default -> literal(c);
      }
    }

    private void ofChoice(char c) {
      if (open == 0) {
        literal(c);
      } else if (c == ',') {
        regex.append('|');
      } else {
        open--;
        regex.append(')');
      }
    }

    private void literal(char c) {
      if (SPECIAL.indexOf(c) >= 0) regex.append('\\');
      regex.append(c);
    }

    private void stars() {
      if (!glob.startsWith("*", at)) {
        regex.append("[^/]*");
        return;
      }
      while (glob.startsWith("*", at)) at++;
      if (glob.startsWith("/", at)) {
        at++;
        regex.append("(?:.*/)?");
      } else {
        regex.append(".*");
      }
    }

    private void set() {
      int end = glob.indexOf(']', at + 1);
      if (end < 0) throw new IllegalArgumentException("a `[` is not closed");
      var inside = glob.substring(at, end);
      at = end + 1;
      boolean isNegated = inside.startsWith("!") || inside.startsWith("^");
      var characters = isNegated ? inside.substring(1) : inside;
      regex.append(isNegated ? "[^/" : "[");
      for (int i = 0; i < characters.length(); i++) {
        char c = characters.charAt(i);
        if (c == '\\' || c == '[' || c == '^') regex.append('\\');
        regex.append(c);
      }
      regex.append(']');
    }
  }
}
