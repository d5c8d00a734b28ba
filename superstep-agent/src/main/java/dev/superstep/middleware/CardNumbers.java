package dev.superstep.middleware;

import dev.superstep.middleware.Detector.Span;
import java.util.ArrayList;
import java.util.List;

/// Finds numbers of payment cards: whole groups of digits, with a blank or a hyphen between.
final class CardNumbers {
  private static final int LEAST = 13;
  private static final int MOST = 19;

  private CardNumbers() {}

  static List<Span> in(String text) {
    var found = new ArrayList<Span>();
    int at = 0;
    while (at < text.length()) {
      boolean begins = isDigit(text, at) && !isDigit(text, at - 1);
      int end = begins ? end(text, at) : -1;
      if (end > 0) found.add(new Span(at, end));
      at = end > 0 ? end : at + 1;
    }
    return found;
  }

  /// The end of the longest number that begins here; -1 if none does.
  private static int end(String text, int from) {
    var digits = new int[MOST];
    int count = 0;
    int end = -1;
    int at = from;
    while (count < MOST && isDigit(text, at)) {
      digits[count++] = text.charAt(at) - '0';
      at++;
      boolean isGroup = !isDigit(text, at);
      if (isGroup && count >= LEAST && isCard(digits, count)) end = at;
      boolean isSeparator =
          at < text.length() && (text.charAt(at) == ' ' || text.charAt(at) == '-');
      if (isSeparator && isDigit(text, at + 1)) at++;
    }
    return end;
  }

  private static boolean isDigit(String text, int at) {
    return at >= 0 && at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9';
  }

  /// Card numbers begin with 2 to 6, and the sum with every second digit doubled ends in 0.
  private static boolean isCard(int[] digits, int count) {
    if (digits[0] < 2 || digits[0] > 6) return false;
    int sum = 0;
    for (int i = 0; i < count; i++) {
      int digit = digits[count - 1 - i];
      int doubled = i % 2 == 0 ? digit : 2 * digit;
      sum += doubled > 9 ? doubled - 9 : doubled;
    }
    return sum % 10 == 0;
  }
}
