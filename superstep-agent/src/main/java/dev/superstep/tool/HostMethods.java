package dev.superstep.tool;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedMap;
import java.util.SequencedSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/// The methods of a class, with those of the types above it; what overrides comes before what is
/// overridden. Java gives them in no order that holds, so neither does this.
final class HostMethods {
  private HostMethods() {}

  /// A method as one that may override another.
  private record Signature(String name, List<Class<?>> parameters) {
    static Signature of(Method method) {
      return new Signature(method.getName(), List.of(method.getParameterTypes()));
    }
  }

  /// Those that say that they are tools, or that override one which does.
  static List<Method> annotated(Class<?> type) {
    return lowest(type, method -> method.isAnnotationPresent(ToolMethod.class));
  }

  /// Those of one name.
  static List<Method> named(Class<?> type, String name) {
    return lowest(type, method -> method.getName().equals(name));
  }

  /// The names of all, for errors.
  static String names(Class<?> type) {
    return lowest(type, _ -> true).stream()
        .map(method -> "`" + method.getName() + "`")
        .distinct()
        .sorted()
        .collect(Collectors.joining(", "));
  }

  /// A method and those that it overrides.
  static List<Method> declarations(Class<?> type, Method method) {
    var same = new ArrayList<Method>();
    same.add(method);
    if (!isInherited(method)) return same;
    for (var level : levels(type)) {
      for (var other : level.getDeclaredMethods()) {
        boolean isOther = !other.equals(method) && isInherited(other);
        if (isOther && Signature.of(other).equals(Signature.of(method))) same.add(other);
      }
    }
    return same;
  }

  private static boolean isInherited(Method method) {
    return (method.getModifiers() & (Modifier.PRIVATE | Modifier.STATIC)) == 0;
  }

  static String text(Method method) {
    return Arrays.stream(method.getParameterTypes())
        .map(Class::getSimpleName)
        .collect(Collectors.joining(", ", method.getName() + "(", ")"));
  }

  private static List<Method> lowest(Class<?> type, Predicate<Method> which) {
    SequencedMap<Signature, Method> found = new LinkedHashMap<>();
    for (var level : levels(type)) {
      for (var method : level.getDeclaredMethods()) {
        // A bridge has the annotations of what it leads to, and hides what both override.
        if (which.test(method)) found.putIfAbsent(Signature.of(method), method);
      }
    }
    return found.values().stream().filter(method -> !method.isSynthetic()).toList();
  }

  private static List<Class<?>> levels(Class<?> type) {
    SequencedSet<Class<?>> levels = new LinkedHashSet<>();
    for (var at = type; at != null && at != Object.class; at = at.getSuperclass()) levels.add(at);
    for (var at : List.copyOf(levels)) interfaces(at, levels);
    return List.copyOf(levels);
  }

  private static void interfaces(Class<?> type, SequencedSet<Class<?>> to) {
    for (var each : type.getInterfaces()) {
      to.add(each);
      interfaces(each, to);
    }
  }
}
