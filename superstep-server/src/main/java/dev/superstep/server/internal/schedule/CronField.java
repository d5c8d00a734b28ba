package dev.superstep.server.internal.schedule;

import java.util.BitSet;
import java.util.List;
import java.util.Locale;

/// A field of a cron expression: the numbers that it allows. Immutable.
final class CronField {
  private final BitSet allowed;
  private final boolean startsWithStar;

  private CronField(BitSet allowed, boolean startsWithStar) {
    this.allowed = allowed;
    this.startsWithStar = startsWithStar;
  }

  /// A kind of field.
  ///
  /// @param names of the numbers from `least` on, if they have some
  record Kind(String name, int least, int most, List<String> names) {
    Kind(String name, int least, int most) {
      this(name, least, most, List.of());
    }
  }

  /// Reads a field, such as `1-5`, `*/15` or `MON,FRI`.
  ///
  /// @throws IllegalArgumentException if it is none
  static CronField parse(Kind kind, String text) {
    var allowed = new BitSet();
    for (var part : text.split(",", -1)) add(kind, part, allowed);
    return new CronField(allowed, text.startsWith("*"));
  }

  private static void add(Kind kind, String part, BitSet allowed) {
    int slash = part.indexOf('/');
    var range = slash < 0 ? part : part.substring(0, slash);
    int step = slash < 0 ? 1 : number(kind, part.substring(slash + 1), 1, kind.most());
    int from;
    int to;
    if (range.equals("*")) {
      from = kind.least();
      to = kind.most();
    } else {
      int dash = range.indexOf('-');
      from = value(kind, dash < 0 ? range : range.substring(0, dash));
      if (dash >= 0) to = value(kind, range.substring(dash + 1));
      else to = slash < 0 ? from : kind.most();
    }
    if (from > to) throw wrong(kind, part, "a range goes from a lower to a higher value");
    for (int each = from; each <= to; each += step) allowed.set(each);
  }

  private static int value(Kind kind, String text) {
    int named = kind.names().indexOf(text.toUpperCase(Locale.ROOT));
    return named >= 0 ? kind.least() + named : number(kind, text, kind.least(), kind.most());
  }

  private static int number(Kind kind, String text, int least, int most) {
    boolean isNumber = !text.isEmpty() && text.length() <= 4;
    for (int i = 0; i < text.length(); i++)
      isNumber &= text.charAt(i) >= '0' && text.charAt(i) <= '9';
    if (!isNumber) throw wrong(kind, text, "expected numbers, `*`, `-`, `/` and `,`");
    int number = Integer.parseInt(text);
    if (number < least || number > most) {
      throw wrong(kind, text, "it goes from " + least + " to " + most);
    }
    return number;
  }

  private static IllegalArgumentException wrong(Kind kind, String text, String why) {
    return new IllegalArgumentException("`" + text + "` is no " + kind.name() + ": " + why);
  }

  boolean allows(int number) {
    return allowed.get(number);
  }

  /// Returns the next allowed number, or -1.
  int next(int from) {
    return allowed.nextSetBit(from);
  }

  boolean startsWithStar() {
    return startsWithStar;
  }
}
