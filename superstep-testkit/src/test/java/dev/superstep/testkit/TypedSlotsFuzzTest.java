package dev.superstep.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.json.Codec;
import dev.superstep.json.Json;
import dev.superstep.json.MalformedJson;
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
import java.time.OffsetTime;
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
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Whatever a channel's type can hold comes back equal from its JSON, or is refused when it is to
/// be written, so that nothing is stored that cannot be read.
@Tag("G34")
@Tag("W60")
class TypedSlotsFuzzTest {
  private static final int CASES = Integer.getInteger("superstep.cases", 500);

  enum Mood {
    GOOD,
    BAD {
      @Override
      public String toString() {
        return "GOOD";
      }
    }
  }

  record Scalars(
      String text,
      boolean yes,
      Byte octet,
      short few,
      Integer some,
      long many,
      Float real,
      double more,
      char letter,
      BigDecimal exact,
      BigInteger huge,
      UUID id,
      URI link,
      Mood mood) {}

  record Times(
      Instant at,
      LocalDate day,
      LocalTime time,
      LocalDateTime local,
      OffsetDateTime offset,
      OffsetTime clock,
      ZonedDateTime zoned,
      Year year,
      YearMonth month,
      MonthDay birthday,
      ZoneOffset shift,
      Duration took,
      Period every,
      Month of,
      DayOfWeek on) {}

  sealed interface Shape {
    record Circle(double radius, Optional<Shape> inner) implements Shape {}

    record Square(Scalars side, @Nullable String note) implements Shape {}

    sealed interface Curve extends Shape {
      record Bow(List<OffsetDateTime> seen) implements Curve {}

      record Dot() implements Curve {}
    }
  }

  record Nested(
      Shape first,
      Optional<Times> times,
      List<Shape> rest,
      Set<Mood> moods,
      Map<String, List<Optional<Shape>>> places,
      Map<String, Map<String, Json>> deep,
      Optional<List<ZonedDateTime>> dates,
      @Nullable Nested more) {
    public boolean isEmpty() {
      return rest.isEmpty();
    }
  }

  @Test
  void scalars_come_back_equal() throws Exception {
    check(1_000_000, Scalars.class);
  }

  @Test
  void times_come_back_equal_with_their_offsets_and_zones() throws Exception {
    check(2_000_000, Times.class);
  }

  @Test
  void cases_of_sealed_types_come_back_equal() throws Exception {
    check(3_000_000, Shape.class);
  }

  @Test
  void nested_values_come_back_equal() throws Exception {
    check(4_000_000, Nested.class);
  }

  private static <T> void check(long seed, Class<T> type) throws InterruptedException {
    var codec = Codec.of(type);
    var came = new AtomicInteger();
    Property.check(
        seed,
        CASES,
        choices -> new RandomValues(choices).of(type),
        value -> {
          Json json;
          try {
            json = codec.encode(value);
          } catch (MalformedJson _) {
            return;
          }
          assertThat(codec.decode(json)).as(json.text()).isEqualTo(value);
          // What comes from outside and goes through a store is the same.
          assertThat(codec.decode(Json.parse(json.text()))).isEqualTo(value);
          came.incrementAndGet();
        });
    // Else what is refused would hide what is lost.
    assertThat(came.get()).isGreaterThan(CASES / 3);
  }
}
