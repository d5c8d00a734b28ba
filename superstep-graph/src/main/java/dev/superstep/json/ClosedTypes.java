package dev.superstep.json;

import java.lang.reflect.GenericArrayType;
import java.lang.reflect.ParameterizedType;
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
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/// Finds what in a type cannot be stored and read back without naming a class in the data.
final class ClosedTypes {
  private static final Set<Class<?>> SCALARS =
      Set.of(
          String.class,
          Boolean.class,
          Byte.class,
          Short.class,
          Integer.class,
          Long.class,
          Float.class,
          Double.class,
          Character.class,
          BigDecimal.class,
          BigInteger.class,
          UUID.class,
          URI.class,
          Json.class);

  /// The types of time whose JSON is complete; not the calendars and interfaces beside them.
  private static final Set<Class<?>> TIMES =
      Set.of(
          Instant.class,
          LocalDate.class,
          LocalTime.class,
          LocalDateTime.class,
          OffsetDateTime.class,
          OffsetTime.class,
          ZonedDateTime.class,
          ZoneOffset.class,
          Year.class,
          YearMonth.class,
          MonthDay.class,
          Duration.class,
          Period.class);

  private final Set<Class<?>> seen = new HashSet<>();
  private final List<String> problems = new ArrayList<>();

  private ClosedTypes() {}

  /// Returns a sentence for each open part that is reachable from the type; none if it is closed.
  static List<String> problems(Type type) {
    var walk = new ClosedTypes();
    walk.visit(type, type instanceof Class<?> c ? c.getSimpleName() : type.getTypeName());
    return walk.problems;
  }

  /// Returns whether all values of the type are written in one piece, and never change.
  static boolean isScalar(Class<?> type) {
    boolean isPlain = type.isPrimitive() || type.isEnum();
    return isPlain || TIMES.contains(type) || (SCALARS.contains(type) && type != Json.class);
  }

  private void visit(Type type, String path) {
    switch (type) {
      case Class<?> c -> visitClass(c, path);
      case ParameterizedType p -> visitGeneric(p, path);
      case GenericArrayType _ -> problems.add(path + " is an array; use a list");
      default -> problems.add(path + " has the open type " + type.getTypeName());
    }
  }

  private void visitClass(Class<?> type, String path) {
    if (type.isPrimitive() || SCALARS.contains(type) || type.isEnum()) return;
    if (TIMES.contains(type)) return;
    if (!seen.add(type)) return;
    if (type.isRecord()) {
      for (var part : type.getRecordComponents()) {
        visit(part.getGenericType(), path + "." + part.getName());
      }
    } else if (type.isSealed() && type.isInterface()) {
      visitSealed(type, path);
    } else if (type.isArray()) {
      problems.add(path + " is an array; use a list");
    } else {
      problems.add(path + " has the open type " + type.getName());
    }
  }

  private void visitSealed(Class<?> type, String path) {
    var twins = new LinkedHashSet<String>();
    twins(type, new HashSet<>(), twins);
    for (var twin : twins) problems.add(path + " has two cases named " + twin);
    for (var permitted : type.getPermittedSubclasses()) {
      if (permitted.isRecord() && hasComponent(permitted, "type")) {
        problems.add(
            "%s has the case %s with a component `type`, which names the case"
                .formatted(path, permitted.getSimpleName()));
      }
      visitClass(permitted, path + "/" + permitted.getSimpleName());
    }
  }

  /// Finds names that two cases share, also across families of cases: the name alone is stored.
  private static void twins(Class<?> type, Set<String> names, Set<String> twins) {
    for (var permitted : type.getPermittedSubclasses()) {
      if (permitted.isSealed()) twins(permitted, names, twins);
      else if (!names.add(permitted.getSimpleName())) twins.add(permitted.getSimpleName());
    }
  }

  private static boolean hasComponent(Class<?> record, String name) {
    for (var part : record.getRecordComponents()) if (part.getName().equals(name)) return true;
    return false;
  }

  private void visitGeneric(ParameterizedType type, String path) {
    var raw = (Class<?>) type.getRawType();
    var arguments = type.getActualTypeArguments();
    if (raw == List.class || raw == Set.class || raw == Optional.class) {
      if (raw == Optional.class && isOptional(arguments[0])) {
        problems.add(path + " is an optional of an optional; use one");
        return;
      }
      visit(arguments[0], path + "[]");
    } else if (raw == Map.class) {
      if (arguments[0] != String.class) problems.add(path + " has keys that are not strings");
      visit(arguments[1], path + "{}");
    } else {
      problems.add(path + " has the open type " + type.getTypeName());
    }
  }

  private static boolean isOptional(Type type) {
    return type instanceof ParameterizedType p && p.getRawType() == Optional.class;
  }
}
