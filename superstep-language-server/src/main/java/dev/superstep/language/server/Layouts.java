package dev.superstep.language.server;

import dev.superstep.language.Span;
import dev.superstep.language.rag.Formatter;
import java.util.List;
import java.util.regex.Pattern;
import org.eclipse.lsp4j.TextEdit;

/// The layout of a source, as the smallest single edit that makes it.
final class Layouts {
  private static final Pattern LONE_FEED = Pattern.compile("(?<!\r)\n");
  private static final Pattern LONE_RETURN = Pattern.compile("\r(?!\n)");

  private Layouts() {}

  /// The edit that lays a source out; none if it is laid out, or has errors of syntax.
  static List<TextEdit> edits(OpenDocument document) {
    var before = document.source().text();
    var formatted = Formatter.format(document.source(), OpenDocument.LIMITS);
    if (formatted.isEmpty()) return List.of();
    var after = formatted.get();
    if (hasWindowsLines(before)) after = LONE_FEED.matcher(after).replaceAll("\r\n");
    return after.equals(before) ? List.of() : List.of(difference(document, before, after));
  }

  /// Returns whether each line ends with a return and a feed, so that strings of several lines do
  /// not change when all lines do.
  private static boolean hasWindowsLines(String text) {
    return text.indexOf('\r') >= 0
        && !LONE_FEED.matcher(text).find()
        && !LONE_RETURN.matcher(text).find();
  }

  private static TextEdit difference(OpenDocument document, String before, String after) {
    int shorter = Math.min(before.length(), after.length());
    int same = 0;
    while (same < shorter && before.charAt(same) == after.charAt(same)) same++;
    // Positions lie between characters and between lines.
    while (same > 0 && !isWhole(before, same)) same--;
    int rest = 0;
    while (rest < shorter - same
        && before.charAt(before.length() - 1 - rest) == after.charAt(after.length() - 1 - rest)) {
      rest++;
    }
    while (rest > 0 && !isWhole(before, before.length() - rest)) rest--;
    var span = new Span(same, before.length() - rest);
    return new TextEdit(document.range(span), after.substring(same, after.length() - rest));
  }

  private static boolean isWhole(String text, int at) {
    if (at == 0 || at == text.length()) return true;
    char before = text.charAt(at - 1);
    char next = text.charAt(at);
    return !(Character.isHighSurrogate(before) && Character.isLowSurrogate(next))
        && !(before == '\r' && next == '\n');
  }
}
