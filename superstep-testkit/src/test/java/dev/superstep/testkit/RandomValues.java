package dev.superstep.testkit;

import dev.superstep.json.Json;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.MonthDay;
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
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Makes random values of closed types, by what the types declare.
final class RandomValues {
  private static final int DEPTH_MAX = 4;
  private static final int NULLS_PERCENT = 2;
  private static final List<String> TEXTS =
      List.of("", "a", " ", "null", "\"", "\\", "\u0000", "\ud83d\ude80", "[]", "1", "<&>", "é\n");
  private static final List<String> NUMBERS =
      List.of("0", "-0.0", "1E+3", "1e-30", "0.10", "123456789012345678901234567890.5", "-7");
  private static final List<ZoneId> ZONES =
      List.of(
          ZoneOffset.UTC,
          ZoneOffset.ofHoursMinutes(5, 30),
          ZoneOffset.ofTotalSeconds(-3_661),
          ZoneId.of("Europe/Berlin"),
          ZoneId.of("UTC"),
          ZoneId.of("GMT+2"),
          ZoneId.of("America/St_Johns"));

  private final Choices choices;

  RandomValues(Choices choices) {
    this.choices = choices;
  }

  /// A value of this class; parts of it are null now and then.
  <T> T of(Class<T> type) {
    return type.cast(plain(type, 0));
  }

  private @Nullable Object maybe(Type type, int depth) {
    boolean primitive = type instanceof Class<?> c && c.isPrimitive();
    // In a collection, null is read as the empty optional, and as the JSON `null`.
    boolean hasOwn =
        type == Json.class
            || type instanceof ParameterizedType p && p.getRawType() == Optional.class;
    return !primitive && !hasOwn && choices.chance(NULLS_PERCENT) ? null : any(type, depth);
  }

  private Object any(Type type, int depth) {
    if (type instanceof Class<?> plain) return plain(plain, depth);
    var generic = (ParameterizedType) type;
    var arguments = generic.getActualTypeArguments();
    int most = depth < DEPTH_MAX ? 3 : 0;
    var raw = (Class<?>) generic.getRawType();
    if (raw == Optional.class) {
      return most == 0 || choices.chance(40)
          ? Optional.empty()
          : Optional.of(any(arguments[0], depth + 1));
    }
    if (raw == Map.class) {
      Map<String, @Nullable Object> map = new LinkedHashMap<>();
      for (int i = choices.below(most + 1); i > 0; i--) {
        map.put(choices.of(TEXTS), maybe(arguments[1], depth + 1));
      }
      return map;
    }
    List<@Nullable Object> list = new ArrayList<>();
    for (int i = choices.below(most + 1); i > 0; i--) list.add(maybe(arguments[0], depth + 1));
    return raw == Set.class ? new LinkedHashSet<>(list) : list;
  }

  private Object plain(Class<?> type, int depth) {
    if (type.isEnum()) return choices.of(List.of(type.getEnumConstants()));
    if (type.isSealed()) {
      return plain(choices.of(List.of(type.getPermittedSubclasses())), depth);
    }
    if (type.isRecord() && type != Json.class) return record(type, depth);
    return type.getName().startsWith("java.time.") ? time(type) : scalar(type);
  }

  private Object record(Class<?> type, int depth) {
    var components = type.getRecordComponents();
    var types = new Class<?>[components.length];
    var values = new @Nullable Object[components.length];
    for (int i = 0; i < components.length; i++) {
      types[i] = components[i].getType();
      values[i] = component(components[i], depth + 1);
    }
    try {
      var constructor = type.getDeclaredConstructor(types);
      constructor.setAccessible(true);
      return constructor.newInstance(values);
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(type + " cannot be made", e);
    }
  }

  private @Nullable Object component(RecordComponent component, int depth) {
    boolean nullable = component.getAnnotatedType().isAnnotationPresent(Nullable.class);
    if (nullable && (depth > DEPTH_MAX || choices.chance(60))) return null;
    if (choices.chance(NULLS_PERCENT) && !component.getType().isPrimitive()) return null;
    return any(component.getGenericType(), depth);
  }

  private Object scalar(Class<?> type) {
    long number = number();
    return switch (type.getSimpleName()) {
      case "String" -> choices.of(TEXTS) + choices.of(TEXTS);
      case "Boolean", "boolean" -> choices.chance(50);
      case "Byte", "byte" -> (byte) number;
      case "Short", "short" -> (short) number;
      case "Integer", "int" -> (int) number;
      case "Long", "long" -> number;
      case "Float", "float" -> choices.of(0f, -0f, Float.MIN_VALUE, Float.MAX_VALUE, 0.1f, 1e10f);
      case "Double", "double" -> choices.of(0.0, -0.0, Double.MIN_VALUE, 1e300, 0.1, 1e17, 1 / 3.0);
      case "Character", "char" -> choices.of('a', '"', '\\', '\u0000', 'é', '\u2028');
      case "BigDecimal" -> new BigDecimal(choices.of(NUMBERS));
      case "BigInteger" -> BigInteger.valueOf(number).multiply(BigInteger.TEN.pow(20));
      case "UUID" -> new UUID(number, -number);
      case "URI" -> URI.create(choices.of("a:b", "https://example.org/%20?q=1#x", "", "../up"));
      case "Json" ->
          Json.parse(choices.of("1", "\"x\"", "[1.50,null]", "{\"a\":{\"b\":1e400}}", "true"));
      default -> throw new AssertionError("no value of " + type);
    };
  }

  private long number() {
    return choices.of(0L, 1L, -1L, 127L, 70_000L, (long) Integer.MIN_VALUE, Long.MAX_VALUE);
  }

  private Object time(Class<?> type) {
    var date = LocalDate.of(choices.of(2026, 1, 0, -44, 9_999, 12_345), 2, 28);
    var time = LocalTime.of(choices.below(24), 30, choices.below(2), choices.of(0, 1, 120_000_000));
    var at = LocalDateTime.of(date, time);
    var zone = choices.of(ZONES);
    // An hour that comes twice when summer ends.
    if (choices.chance(20)) at = LocalDateTime.of(2025, 10, 26, 2, 30);
    var offset = zone.getRules().getOffset(at);
    return switch (type.getSimpleName()) {
      case "Instant" -> choices.chance(5) ? Instant.MAX : at.toInstant(ZoneOffset.UTC);
      case "LocalDate" -> date;
      case "LocalTime" -> time;
      case "LocalDateTime" -> at;
      case "OffsetDateTime" -> at.atOffset(offset);
      case "OffsetTime" -> time.atOffset(offset);
      case "ZonedDateTime" -> {
        var zoned = ZonedDateTime.of(at, zone);
        yield choices.chance(50) ? zoned.withLaterOffsetAtOverlap() : zoned;
      }
      case "Year" -> Year.of(date.getYear());
      case "YearMonth" -> YearMonth.from(date);
      case "MonthDay" -> MonthDay.of(2, 29);
      case "ZoneOffset" -> offset;
      case "Duration" -> Duration.ofSeconds(number() / 1_000, choices.of(0, 1, 999_999_999));
      case "Period" -> Period.of(choices.below(3), -1, 400);
      default -> throw new AssertionError("no value of " + type);
    };
  }
}
