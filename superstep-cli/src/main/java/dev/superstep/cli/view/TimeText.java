package dev.superstep.cli.view;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/// Times as people read them. Points in time are in UTC, since a store may come from anywhere.
public final class TimeText {
  private static final DateTimeFormatter MINUTES =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm").withZone(ZoneOffset.UTC);
  private static final DateTimeFormatter CLOCK =
      DateTimeFormatter.ofPattern("HH:mm:ss.SSS").withZone(ZoneOffset.UTC);

  private TimeText() {}

  /// The day and the minute.
  public static String minutes(Instant at) {
    return MINUTES.format(at);
  }

  /// The time of the day, to the millisecond.
  static String clock(Instant at) {
    return CLOCK.format(at);
  }

  /// A time span in at most two units, such as `3 min 5 s`.
  static String span(Duration time) {
    long seconds = time.toSeconds();
    if (time.toDays() > 0) return time.toDays() + " d " + time.toHoursPart() + " h";
    if (time.toHours() > 0) return time.toHours() + " h " + time.toMinutesPart() + " min";
    return seconds < 60 ? seconds + " s" : time.toMinutes() + " min " + time.toSecondsPart() + " s";
  }
}
