package dev.superstep.tool;

import java.util.LinkedHashMap;
import java.util.Map;

/// Values that tools need and models must not see: stores, clients, the user's id. Found by type,
/// and in no schema. Immutable.
public final class ToolDependencies {
  private static final ToolDependencies NONE = new ToolDependencies(Map.of());
  private final Map<Class<?>, Object> values;

  private ToolDependencies(Map<Class<?>, Object> values) {
    this.values = values;
  }

  /// No values.
  public static ToolDependencies none() {
    return NONE;
  }

  /// These values and one more.
  public <T> ToolDependencies and(Class<T> type, T value) {
    if (values.containsKey(type)) {
      throw new IllegalArgumentException("a " + type.getName() + " is injected already");
    }
    var more = new LinkedHashMap<>(values);
    more.put(type, type.cast(value));
    return new ToolDependencies(more);
  }

  /// These values, and of others those of types that these lack.
  public ToolDependencies or(ToolDependencies others) {
    if (others.values.isEmpty()) return this;
    var all = new LinkedHashMap<>(others.values);
    all.putAll(values);
    return new ToolDependencies(all);
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

  @Override
  public String toString() {
    return "ToolDependencies"
        + values.keySet().stream().map(Class::getSimpleName).sorted().toList();
  }
}
