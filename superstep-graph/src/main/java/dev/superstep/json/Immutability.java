package dev.superstep.json;

import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Tells values of closed types that can never change from those that may. Scalars, enums and times
/// never change, and records only by what is in them; of collections, those that the JDK makes
/// unmodifiable ([List#of], [List#copyOf]) never do, and of any other nobody knows.
final class Immutability {
  // What is nested more deeply than can be read back is not looked at.
  private static final int DEPTH_MAX = JsonLimit.READ_NESTING;

  private static final Set<Class<?>> COLLECTIONS =
      Set.of(
          List.of().getClass(),
          List.of(1).getClass(),
          Set.of().getClass(),
          Set.of(1).getClass(),
          Collections.emptyList().getClass(),
          Collections.emptySet().getClass());

  private static final Set<Class<?>> MAPS =
      Set.of(
          Map.of().getClass(),
          Map.of(1, 1).getClass(),
          Collections.emptyMap().getClass(),
          Collections.singletonMap(1, 1).getClass());

  private static final ClassValue<Parts> PARTS =
      new ClassValue<>() {
        @Override
        protected Parts computeValue(Class<?> type) {
          return type.isRecord() ? Parts.of(type) : Parts.NONE;
        }
      };

  private Immutability() {}

  /// The accessors of the components of a record that may be, or hold, a collection.
  ///
  /// @param isReadable false if they cannot be called from here
  private record Parts(List<Method> accessors, boolean isReadable) {
    static final Parts NONE = new Parts(List.of(), true);

    static Parts of(Class<?> type) {
      var accessors = new ArrayList<Method>();
      try {
        for (var component : type.getRecordComponents()) {
          if (ClosedTypes.isScalar(component.getType())) continue;
          var accessor = component.getAccessor();
          accessor.setAccessible(true);
          accessors.add(accessor);
        }
      } catch (InaccessibleObjectException | SecurityException _) {
        return new Parts(List.of(), false);
      }
      return new Parts(List.copyOf(accessors), true);
    }
  }

  static boolean isImmutable(Object value) {
    return isImmutable(value, 0);
  }

  private static boolean isImmutable(@Nullable Object value, int depth) {
    if (value == null) return true;
    if (depth > DEPTH_MAX) return false;
    if (value instanceof Json json) {
      var _ = json.frozen();
      return true;
    }
    if (value instanceof Optional<?> some) return isImmutable(some.orElse(null), depth + 1);
    if (value instanceof Collection<?> all) {
      return COLLECTIONS.contains(all.getClass()) && areImmutable(all, depth + 1);
    }
    if (value instanceof Map<?, ?> map) {
      return MAPS.contains(map.getClass()) && areImmutable(map.values(), depth + 1);
    }
    return hasImmutableParts(value, depth + 1);
  }

  private static boolean areImmutable(Collection<?> all, int depth) {
    for (var one : all) if (!isImmutable(one, depth)) return false;
    return true;
  }

  private static boolean hasImmutableParts(Object value, int depth) {
    var parts = PARTS.get(value.getClass());
    if (!parts.isReadable()) return false;
    for (var accessor : parts.accessors()) {
      try {
        if (!isImmutable(accessor.invoke(value), depth)) return false;
      } catch (ReflectiveOperationException _) {
        // Writing it will tell what is wrong with it.
        return false;
      }
    }
    return true;
  }
}
