package dev.superstep.server.internal.schedule;

import dev.superstep.server.internal.schedule.CronField.Kind;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A cron expression of five fields: minute, hour, day of the month, month, day of the week.
/// Immutable. Why it is read here and not by a library: docs/decisions/0143.
///
/// If both days are given, one of them is enough, unless one begins with `*`, as in the cron of
/// Unix. Where clocks are put forward, a time that is left out moves on with the clock; where they
/// are put back, a time that comes twice counts once. Expressions that run in every hour follow the
/// time that passes instead.
public final class CronExpression {
  private static final Map<String, String> NAMED =
      Map.of(
          "@yearly", "0 0 1 1 *",
          "@annually", "0 0 1 1 *",
          "@monthly", "0 0 1 * *",
          "@weekly", "0 0 * * 0",
          "@daily", "0 0 * * *",
          "@midnight", "0 0 * * *",
          "@hourly", "0 * * * *");
  private static final int FIELDS = 5;
  private static final int LENGTH_MAX = 200;
  // The 29th of February may be eight years away.
  private static final int YEARS_MAX = 9;
  // More than clocks are ever moved by.
  private static final int CLOCK_CHANGE_HOURS_MAX = 3;
  private static final int SUNDAY = 7;

  private static final Kind MINUTE = new Kind("minute", 0, 59);
  private static final Kind HOUR = new Kind("hour", 0, 23);
  private static final Kind DAY = new Kind("day of the month", 1, 31);
  private static final Kind MONTH =
      new Kind(
          "month",
          1,
          12,
          List.of(
              "JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"));
  private static final Kind WEEKDAY =
      new Kind("day of the week", 0, 7, List.of("SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"));

  private final CronField minute;
  private final CronField hour;
  private final CronField day;
  private final CronField month;
  private final CronField weekday;

  private CronExpression(List<String> fields) {
    minute = CronField.parse(MINUTE, fields.get(0));
    hour = CronField.parse(HOUR, fields.get(1));
    day = CronField.parse(DAY, fields.get(2));
    month = CronField.parse(MONTH, fields.get(3));
    weekday = CronField.parse(WEEKDAY, fields.get(4));
  }

  /// Reads an expression, or a name such as `@daily`.
  ///
  /// @throws IllegalArgumentException if it is none, or no day ever meets it
  public static CronExpression parse(String text) {
    if (text.length() > LENGTH_MAX) {
      throw new IllegalArgumentException("it is longer than " + LENGTH_MAX + " characters");
    }
    var plain = text.strip();
    var fields = List.of(NAMED.getOrDefault(plain.toLowerCase(Locale.ROOT), plain).split("\\s+"));
    if (fields.size() != FIELDS) {
      throw new IllegalArgumentException(
          "it has " + fields.size() + " fields; write minute, hour, day, month and weekday");
    }
    var expression = new CronExpression(fields);
    // A leap day is among any nine years but some around 1900 and 2100.
    if (expression.next(LocalDateTime.of(2020, 1, 1, 0, 0)) == null) {
      throw new IllegalArgumentException("there is no such day");
    }
    return expression;
  }

  /// The first time after another one.
  ///
  /// @return empty if there is none in the next years
  public Optional<Instant> next(Instant after, ZoneId zone) {
    Instant best = null;
    var local = after.atZone(zone).toLocalDateTime().minusHours(CLOCK_CHANGE_HOURS_MAX);
    for (var at = next(local); at != null; at = next(at.plusMinutes(1))) {
      if (best != null) {
        var last = best.atZone(zone).toLocalDateTime().plusHours(CLOCK_CHANGE_HOURS_MAX);
        if (at.isAfter(last)) break;
      }
      for (var time : times(at, zone)) {
        if (time.isAfter(after) && (best == null || time.isBefore(best))) best = time;
      }
    }
    return Optional.ofNullable(best);
  }

  /// The times at which the clocks of a zone show something.
  private List<Instant> times(LocalDateTime at, ZoneId zone) {
    var offsets = zone.getRules().getValidOffsets(at);
    boolean isEveryHour = hour.startsWithStar();
    if (offsets.size() == 1) return List.of(at.toInstant(offsets.getFirst()));
    if (isEveryHour) {
      var all = new ArrayList<Instant>();
      for (var offset : offsets) all.add(at.toInstant(offset));
      return all;
    }
    return List.of(ZonedDateTime.of(at, zone).toInstant());
  }

  /// The first local time that is not before another one.
  private @Nullable LocalDateTime next(LocalDateTime from) {
    var start = from.withSecond(0).withNano(0);
    if (start.isBefore(from)) start = start.plusMinutes(1);
    var end = start.toLocalDate().plusYears(YEARS_MAX);
    var time = nextTime(start.toLocalTime());
    var date = start.toLocalDate();
    if (time != null && allows(date)) return date.atTime(time);
    var first = nextTime(LocalTime.MIDNIGHT);
    for (date = date.plusDays(1); date.isBefore(end); ) {
      if (!month.allows(date.getMonthValue())) {
        date = date.withDayOfMonth(1).plusMonths(1);
      } else if (allows(date) && first != null) {
        return date.atTime(first);
      } else {
        date = date.plusDays(1);
      }
    }
    return null;
  }

  private @Nullable LocalTime nextTime(LocalTime from) {
    int at = hour.next(from.getHour());
    if (at == from.getHour()) {
      int within = minute.next(from.getMinute());
      if (within >= 0) return LocalTime.of(at, within);
      at = hour.next(at + 1);
    }
    return at < 0 ? null : LocalTime.of(at, minute.next(0));
  }

  private boolean allows(LocalDate date) {
    if (!month.allows(date.getMonthValue())) return false;
    int number = date.getDayOfWeek().getValue();
    boolean isWeekday = weekday.allows(number) || (number == SUNDAY && weekday.allows(0));
    boolean isDay = day.allows(date.getDayOfMonth());
    boolean needsBoth = day.startsWithStar() || weekday.startsWithStar();
    return needsBoth ? isDay && isWeekday : isDay || isWeekday;
  }
}
