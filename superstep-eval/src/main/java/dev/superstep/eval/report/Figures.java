package dev.superstep.eval.report;

import dev.superstep.budget.Spend;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.Locale;

/// Numbers as reports write them.
final class Figures {
  private static final int COST_DIGITS = 4;

  private Figures() {}

  /// A cost of 0 is left out: it may as well be unknown.
  static String spend(Spend spent, String currency) {
    var tokens =
        String.format(
            Locale.ROOT,
            "%,d %s, %,d tokens in, %,d out",
            spent.calls(),
            spent.calls() == 1 ? "call" : "calls",
            spent.usage().input(),
            spent.usage().output());
    return hasCost(spent, currency) ? tokens + ", " + cost(spent.cost(), currency) : tokens;
  }

  static boolean hasCost(Spend spent, String currency) {
    return !currency.isEmpty() && spent.cost().signum() > 0;
  }

  static String cost(BigDecimal amount, String currency) {
    return amount.setScale(COST_DIGITS, RoundingMode.HALF_UP).toPlainString() + " " + currency;
  }

  static String time(Duration time) {
    double seconds = time.toNanos() / 1e9;
    if (seconds < 1) return time.toMillis() + " ms";
    return String.format(Locale.ROOT, seconds < 100 ? "%.1f s" : "%.0f s", seconds);
  }

  /// A number with its word, such as `1 case` or `2 cases`.
  static String count(int number, String word) {
    return number + " " + word + (number == 1 ? "" : "s");
  }

  static String decimal(double value) {
    return Double.isNaN(value) ? "none" : String.format(Locale.ROOT, "%.2f", value);
  }

  static String percent(double value) {
    return Double.isNaN(value) ? "none" : String.format(Locale.ROOT, "%.0f %%", 100 * value);
  }

  /// In percentage points, with its sign.
  static String points(double value) {
    return String.format(Locale.ROOT, "%+.1f", 100 * value);
  }

  static String pValue(double p) {
    return p < 0.0001 ? "p < 0.0001" : String.format(Locale.ROOT, "p = %.4f", p);
  }

  /// Text of programs and models in one line, without characters that steer a terminal.
  static String line(String text, int most) {
    var line = new StringBuilder();
    text.codePoints()
        .limit(most)
        .forEach(
            c -> line.appendCodePoint(isShown(c) ? c : c == '\n' || c == '\t' ? ' ' : '\ufffd'));
    return text.codePointCount(0, text.length()) > most ? line + "…" : line.toString();
  }

  private static boolean isShown(int c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.UNASSIGNED,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          false;
      default -> true;
    };
  }
}
