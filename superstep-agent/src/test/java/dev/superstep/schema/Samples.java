package dev.superstep.schema;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.Month;
import java.time.MonthDay;
import java.time.OffsetDateTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Types with every part that a codec knows.
final class Samples {
  private Samples() {}

  enum Level {
    LOW,
    HIGH {
      @Override
      public String toString() {
        return "very high";
      }
    }
  }

  sealed interface Shape {}

  record Circle(double radius) implements Shape {}

  record Square(int side, @Nullable String note) implements Shape {}

  sealed interface Named extends Shape {}

  record Polygon(String name, List<Integer> corners) implements Named {}

  record Tree(String name, List<Tree> children, @Nullable Tree twin) {}

  sealed interface Expression {}

  record Number(int value) implements Expression {}

  record Sum(Expression left, Expression right) implements Expression {}

  record Formula(Expression expression, Optional<Formula> next) {}

  record Scalars(
      String text,
      boolean yes,
      byte tiny,
      short small,
      int number,
      Long large,
      float ratio,
      Double exact,
      char letter,
      BigDecimal price,
      BigInteger count,
      UUID id,
      URI link,
      Level level) {}

  record Times(
      Instant at,
      LocalDate day,
      LocalTime time,
      LocalDateTime local,
      OffsetDateTime offset,
      ZonedDateTime zoned,
      Duration took,
      Period every,
      Year year,
      YearMonth yearMonth,
      MonthDay monthDay,
      Month month,
      DayOfWeek weekday,
      ZoneOffset zone) {}

  record Holders(
      Shape shape,
      Circle plain,
      @Nullable Shape maybe,
      Optional<Level> level,
      @Nullable Month month,
      Optional<List<String>> names,
      List<@Nullable String> gaps,
      Set<Level> levels,
      Map<String, Shape> shapes,
      @Nullable Map<String, Integer> counts) {}

  record Everything(Scalars scalars, Times times, Holders holders, Tree tree, Formula formula) {}
}
