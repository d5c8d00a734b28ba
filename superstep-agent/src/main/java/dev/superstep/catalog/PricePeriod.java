package dev.superstep.catalog;

import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.Optional;

/// Prices and when they hold. Immutable.
///
/// @param from the day, in UTC, from which they hold; always, if empty
/// @param daily the time of day in which they hold; all day, if empty
public record PricePeriod(Optional<LocalDate> from, Optional<Hours> daily, Rates rates) {
  /// A part of each day, in UTC. It may go over midnight.
  public record Hours(LocalTime start, LocalTime end) {
    boolean contain(LocalTime time) {
      boolean started = !time.isBefore(start);
      boolean open = time.isBefore(end);
      return end.isBefore(start) ? started || open : started && open;
    }
  }

  /// Prices that always hold.
  public static PricePeriod always(Rates rates) {
    return new PricePeriod(Optional.empty(), Optional.empty(), rates);
  }

  boolean holds(Instant at) {
    var utc = at.atOffset(ZoneOffset.UTC);
    return from.filter(utc.toLocalDate()::isBefore).isEmpty()
        && daily.filter(hours -> !hours.contain(utc.toLocalTime())).isEmpty();
  }
}
