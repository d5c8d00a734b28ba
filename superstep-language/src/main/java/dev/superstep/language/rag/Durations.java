package dev.superstep.language.rag;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// Reads and writes durations: a number and a unit, such as `90s` or `250ms`.
public final class Durations {
  /// The longest duration.
  public static final Duration MAX = Duration.ofDays(3660);

  private static final BigDecimal NANOS_MAX = BigDecimal.valueOf(MAX.toNanos());
  private static final long MILLI = 1_000_000;

  private record Unit(String word, long nanos) {}

  /// The longest first, as durations are written.
  private static final List<Unit> UNITS =
      List.of(
          new Unit("h", 3_600_000 * MILLI),
          new Unit("m", 60_000 * MILLI),
          new Unit("s", 1_000 * MILLI),
          new Unit("ms", MILLI));

  private Durations() {}

  static boolean isUnit(String text, int from, int to) {
    for (var unit : UNITS) {
      if (to - from == unit.word().length() && text.startsWith(unit.word(), from)) return true;
    }
    return false;
  }

  /// Reads a duration token. Empty if it is longer than [#MAX], negative, or finer than a
  /// nanosecond.
  public static Optional<Duration> read(String text) {
    int digits = text.length();
    while (digits > 0 && Lexer.isNameStart(text.charAt(digits - 1))) digits--;
    var word = text.substring(digits);
    for (var unit : UNITS) {
      if (unit.word().equals(word)) return of(new BigDecimal(text.substring(0, digits)), unit);
    }
    return Optional.empty();
  }

  /// Reads a bare number, which counts seconds.
  public static Optional<Duration> ofSeconds(BigDecimal seconds) {
    return of(seconds, UNITS.get(2));
  }

  private static Optional<Duration> of(BigDecimal number, Unit unit) {
    var nanos = number.multiply(BigDecimal.valueOf(unit.nanos()));
    if (nanos.signum() < 0 || nanos.compareTo(NANOS_MAX) > 0) return Optional.empty();
    if (nanos.stripTrailingZeros().scale() > 0) return Optional.empty();
    return Optional.of(Duration.ofNanos(nanos.longValueExact()));
  }

  /// A duration in the largest unit that needs no fraction.
  public static String write(Duration duration) {
    long nanos = duration.toNanos();
    for (var unit : UNITS) {
      if (nanos % unit.nanos() == 0) return nanos / unit.nanos() + unit.word();
    }
    var millis =
        BigDecimal.valueOf(nanos).divide(BigDecimal.valueOf(MILLI), 6, RoundingMode.UNNECESSARY);
    return millis.stripTrailingZeros().toPlainString() + "ms";
  }
}
