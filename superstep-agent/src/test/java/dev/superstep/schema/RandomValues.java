package dev.superstep.schema;

import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.ParameterizedType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.MonthDay;
import java.time.OffsetDateTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Makes values of closed types from a seed. The same seed makes the same value.
final class RandomValues {
  private static final int DEPTH_MAX = 6;
  private final SplittableRandom random;

  RandomValues(long seed) {
    this.random = new SplittableRandom(seed);
  }

  <T> T of(Class<T> type) {
    return type.cast(plain(type, 0));
  }

  private @Nullable Object any(AnnotatedType type, int depth) {
    var deep = depth > DEPTH_MAX;
    if (type.isAnnotationPresent(Nullable.class) && (deep || random.nextInt(3) == 0)) return null;
    if (!(type instanceof AnnotatedParameterizedType generic)) {
      return plain((Class<?>) type.getType(), depth);
    }
    var raw = ((ParameterizedType) type.getType()).getRawType();
    var arguments = generic.getAnnotatedActualTypeArguments();
    if (raw == Optional.class) {
      return deep || random.nextBoolean()
          ? Optional.empty()
          : Optional.ofNullable(any(arguments[0], depth + 1));
    }
    var elements = new ArrayList<@Nullable Object>();
    for (int left = deep ? 0 : random.nextInt(4); left > 0; left--) {
      elements.add(any(arguments[arguments.length - 1], depth + 1));
    }
    if (raw == List.class) return elements;
    if (raw != Map.class) return new LinkedHashSet<>(elements);
    var map = new LinkedHashMap<String, @Nullable Object>();
    elements.forEach(element -> map.put(text(), element));
    return map;
  }

  private Object plain(Class<?> type, int depth) {
    if (type.isEnum())
      return type.getEnumConstants()[random.nextInt(type.getEnumConstants().length)];
    if (type.isSealed()) {
      var cases = type.getPermittedSubclasses();
      return plain(cases[depth > DEPTH_MAX ? 0 : random.nextInt(cases.length)], depth + 1);
    }
    if (!type.isRecord()) return scalar(type);
    try {
      var components = type.getRecordComponents();
      var types = new Class<?>[components.length];
      var values = new @Nullable Object[components.length];
      for (int i = 0; i < components.length; i++) {
        types[i] = components[i].getType();
        values[i] = any(components[i].getAnnotatedType(), depth + 1);
      }
      var constructor = type.getDeclaredConstructor(types);
      constructor.setAccessible(true);
      return constructor.newInstance(values);
    } catch (ReflectiveOperationException e) {
      throw new AssertionError("cannot make a " + type, e);
    }
  }

  private Object scalar(Class<?> type) {
    return switch (type.getSimpleName()) {
      case "String" -> text();
      case "boolean" -> random.nextBoolean();
      case "byte" -> (byte) random.nextInt();
      case "short" -> (short) random.nextInt();
      case "int", "Integer" -> random.nextInt();
      case "Long" -> random.nextLong();
      case "float" -> (float) random.nextDouble(-1e9, 1e9);
      case "double", "Double" -> random.nextDouble(-1e300, 1e300);
      case "char" -> (char) random.nextInt(0xD7FF);
      case "BigDecimal" -> BigDecimal.valueOf(random.nextLong(), random.nextInt(-40, 40));
      case "BigInteger" -> BigInteger.valueOf(random.nextLong()).pow(random.nextInt(1, 4));
      case "UUID" -> new UUID(random.nextLong(), random.nextLong());
      case "URI" -> URI.create("https://example.org/" + random.nextInt());
      default -> time(type);
    };
  }

  private Object time(Class<?> type) {
    var at =
        Instant.ofEpochSecond(random.nextLong(-1L << 33, 1L << 34), random.nextInt(1000) * 1000);
    var zone = ZoneOffset.ofHours(random.nextInt(-18, 19));
    return switch (type.getSimpleName()) {
      case "Instant" -> at;
      case "LocalDate" -> LocalDate.ofInstant(at, zone);
      case "LocalTime" -> LocalTime.ofInstant(at, zone);
      case "LocalDateTime" -> LocalDateTime.ofInstant(at, zone);
      case "OffsetDateTime" -> OffsetDateTime.ofInstant(at, zone);
      case "ZonedDateTime" -> ZonedDateTime.ofInstant(at, ZoneId.of("Europe/Oslo"));
      case "Duration" -> Duration.ofMillis(random.nextLong(-1L << 40, 1L << 40));
      case "Period" -> Period.of(random.nextInt(9), random.nextInt(20), random.nextInt(90));
      case "Year" -> Year.of(random.nextInt(1, 9999));
      case "YearMonth" -> YearMonth.of(random.nextInt(1, 9999), random.nextInt(1, 13));
      case "MonthDay" -> MonthDay.of(random.nextInt(1, 13), random.nextInt(1, 29));
      case "ZoneOffset" -> zone;
      default -> throw new AssertionError("no values of " + type);
    };
  }

  private String text() {
    var text = new StringBuilder();
    for (int left = random.nextInt(6); left > 0; left--) {
      text.appendCodePoint("aZ0 \"\\\n\u0000é水🙂".codePointAt(random.nextInt(10)));
    }
    return text.toString().replaceAll("[\\ud800-\\udfff]", "");
  }
}
