package dev.superstep.server.internal.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.testkit.Choices;
import dev.superstep.testkit.Property;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class CronExpressionTest {
  private static final int CASES = Integer.getInteger("superstep.cases", 150);
  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

  private static Instant next(String expression, String after, ZoneId zone) {
    return CronExpression.parse(expression).next(Instant.parse(after), zone).orElseThrow();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          * * * * *          | 2026-03-01T10:00:30Z | 2026-03-01T10:01:00Z
          * * * * *          | 2026-03-01T10:00:00Z | 2026-03-01T10:01:00Z
          */15 * * * *       | 2026-03-01T10:46:00Z | 2026-03-01T11:00:00Z
          5/20 * * * *       | 2026-03-01T10:05:00Z | 2026-03-01T10:25:00Z
          0 8 * * MON-FRI    | 2026-02-27T09:00:00Z | 2026-03-02T08:00:00Z
          0 8 * * 7          | 2026-02-27T09:00:00Z | 2026-03-01T08:00:00Z
          0 8 * * 0          | 2026-02-27T09:00:00Z | 2026-03-01T08:00:00Z
          30 6 1,15 jan,Dec * | 2026-01-15T06:30:00Z | 2026-12-01T06:30:00Z
          0 0 29 2 *         | 2026-03-01T00:00:00Z | 2028-02-29T00:00:00Z
          0 0 13 * FRI       | 2026-03-13T00:00:00Z | 2026-03-20T00:00:00Z
          0 0 13 * */1       | 2026-03-13T00:00:00Z | 2026-04-13T00:00:00Z
          59 23 31 12 *      | 2026-12-31T23:59:00Z | 2027-12-31T23:59:00Z
          @daily             | 2026-03-01T00:00:00Z | 2026-03-02T00:00:00Z
          @hourly            | 2026-03-01T00:00:00Z | 2026-03-01T01:00:00Z
          """)
  void the_next_time_meets_all_fields(String expression, Instant after, Instant expected) {
    assertThat(next(expression, after.toString(), ZoneOffset.UTC)).isEqualTo(expected);
  }

  @Test
  void a_zone_says_when_an_hour_is() {
    assertThat(next("0 8 * * *", "2026-07-01T00:00:00Z", BERLIN)).isEqualTo("2026-07-01T06:00:00Z");
    assertThat(next("0 8 * * *", "2026-12-01T00:00:00Z", BERLIN)).isEqualTo("2026-12-01T07:00:00Z");
    assertThat(next("0 8 * * *", "2026-12-01T00:00:00Z", ZoneId.of("Asia/Kathmandu")))
        .isEqualTo("2026-12-01T02:15:00Z");
  }

  @Test
  void a_time_that_clocks_leave_out_moves_on_with_them() {
    // On that night 02:00 is followed by 03:00, which is 01:00 UTC.
    assertThat(next("30 2 * * *", "2026-03-28T12:00:00Z", BERLIN))
        .isEqualTo("2026-03-29T01:30:00Z");
    assertThat(next("30 2 * * *", "2026-03-29T01:30:00Z", BERLIN))
        .isEqualTo("2026-03-30T00:30:00Z");
    assertThat(next("*/30 * * * *", "2026-03-29T00:30:00Z", BERLIN))
        .isEqualTo("2026-03-29T01:00:00Z");
  }

  @Test
  void a_time_that_clocks_show_twice_counts_once() {
    // On that night 03:00 is followed by 02:00, which is 01:00 UTC.
    assertThat(next("30 2 * * *", "2026-10-24T12:00:00Z", BERLIN))
        .isEqualTo("2026-10-25T00:30:00Z");
    assertThat(next("30 2 * * *", "2026-10-25T00:30:00Z", BERLIN))
        .isEqualTo("2026-10-26T01:30:00Z");
    // What runs all the time does so in both hours.
    assertThat(next("*/30 * * * *", "2026-10-25T00:30:00Z", BERLIN))
        .isEqualTo("2026-10-25T01:00:00Z");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "* * * *",
        "* * * * * *",
        "60 * * * *",
        "* 24 * * *",
        "* * 0 * *",
        "* * 32 * *",
        "* * * 13 *",
        "* * * * 8",
        "5-1 * * * *",
        "*/0 * * * *",
        "a * * * *",
        "-1 * * * *",
        "1,,2 * * * *",
        "1-2-3 * * * *",
        "*/x * * * *",
        "0 0 30 2 *",
        "0 0 31 4,6 *",
        "@never",
        "99999999999 * * * *",
        "٣ * * * *",
        "* * * MON *"
      })
  void what_is_no_expression_is_refused(String text) {
    assertThatThrownBy(() -> CronExpression.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .message()
        .isNotBlank();
  }

  /// Fields as sets of numbers, for a search minute by minute.
  record Case(
      String expression,
      int minuteStep,
      List<Integer> hours,
      List<Integer> days,
      List<Integer> weekdays,
      int offset) {
    boolean allows(ZonedDateTime time) {
      boolean isDay = days.isEmpty() || days.contains(time.getDayOfMonth());
      boolean isWeekday =
          weekdays.isEmpty() || weekdays.contains(time.getDayOfWeek().getValue() % 7);
      boolean isEither =
          days.contains(time.getDayOfMonth())
              || weekdays.contains(time.getDayOfWeek().getValue() % 7);
      boolean areBothGiven = !days.isEmpty() && !weekdays.isEmpty();
      boolean isDate = areBothGiven ? isEither : (isDay && isWeekday);
      return isDate
          && time.getMinute() % minuteStep == 0
          && (hours.isEmpty() || hours.contains(time.getHour()));
    }

    static Case draw(Choices choices) {
      int step = choices.of(1, 7, 20, 59);
      var hours = choices.list(3, each -> each.below(24));
      var days = choices.list(3, each -> 1 + each.below(28));
      var weekdays = choices.list(2, each -> each.below(7));
      var expression =
          "*/%d %s %s * %s".formatted(step, field(hours), field(days), field(weekdays));
      return new Case(expression, step, hours, days, weekdays, choices.below(525_000));
    }

    private static String field(List<Integer> numbers) {
      var texts = new ArrayList<String>();
      numbers.forEach(number -> texts.add("" + number));
      return numbers.isEmpty() ? "*" : String.join(",", texts);
    }
  }

  @Test
  void it_finds_the_time_that_a_search_minute_by_minute_finds() throws Exception {
    Property.check(
        11_000,
        CASES,
        Case::draw,
        random -> {
          var start =
              Instant.parse("2027-01-01T00:00:30Z").plus(random.offset(), ChronoUnit.MINUTES);
          var time = start.truncatedTo(ChronoUnit.MINUTES).atZone(ZoneOffset.UTC).plusMinutes(1);
          while (!random.allows(time)) time = time.plusMinutes(1);
          assertThat(next(random.expression(), start.toString(), ZoneOffset.UTC))
              .isEqualTo(time.toInstant());
        });
  }
}
