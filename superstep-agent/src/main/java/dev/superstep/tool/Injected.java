package dev.superstep.tool;

import java.util.LinkedHashMap;
import java.util.Map;

/// Values that tools need and models must not see: stores, clients, the user's id. Found by type,
/// and in no schema. Immutable.
public final class Injected {
  private static final Injected NONE = new Injected(Map.of());
  private final Map<Class<?>, Object> values;

  private Injected(Map<Class<?>, Object> values) {
    this.values = values;
  }

  /// No values.
  public static Injected none() {
    return NONE;
  }

  /// These values and one more.
  public <T> Injected and(Class<T> type, T value) {
    if (values.containsKey(type)) {
      throw new IllegalArgumentException("a " + type.getName() + " is injected already");
    }
    var more = new LinkedHashMap<>(values);
    more.put(type, type.cast(value));
    return new Injected(more);
  }

  /// These values, and of others those of types that these lack.
  public Injected or(Injected others) {
    if (others.values.isEmpty()) return this;
    var all = new LinkedHashMap<>(others.values);
    all.putAll(values);
    return new Injected(all);
  }

  /// The value of this type.
  ///
  /// @param tool who asks, for the error
  /// @throws ToolError.Missing if there is none
  public <T> T get(Class<T> type, String tool) {
    var value = values.get(type);
    if (value == null) {
      throw new ToolError.Missing(
          tool, type, values.keySet().stream().map(Class::getSimpleName).sorted().toList());
    }
    return type.cast(value);
  }
}
