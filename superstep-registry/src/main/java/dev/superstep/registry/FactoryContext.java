package dev.superstep.registry;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/// The dependencies that a [Factory] may use, made for the same run. Each is made once, however
/// many components depend on it. For one thread, and only during the call of the factory.
public final class FactoryContext {
  private final Registry registry;
  private final String run;
  private final Component<?> component;
  private final Map<ComponentId, Object> made;

  FactoryContext(
      Registry registry, String run, Component<?> component, Map<ComponentId, Object> made) {
    this.registry = registry;
    this.run = run;
    this.component = component;
    this.made = made;
  }

  static Object make(Registry registry, String run, Component<?> component) {
    return make(registry, run, component, new HashMap<>());
  }

  private static Object make(
      Registry registry, String run, Component<?> component, Map<ComponentId, Object> made) {
    var known = made.get(component.id());
    if (known != null) return known;
    var value = registry.made(component, new FactoryContext(registry, run, component, made));
    made.put(component.id(), value);
    return value;
  }

  /// The run for which the component is made, as passed to [Registry#instantiate].
  public String run() {
    return run;
  }

  /// A component that was declared as a dependency.
  ///
  /// @param name as [Kind#id] reads it
  /// @throws UndeclaredDependency if it was not declared
  public <T> T get(Kind<T> kind, String name) {
    var wanted = registry.resolved(kind.id(name));
    if (!declared().contains(wanted)) {
      throw new UndeclaredDependency(component.id(), kind.id(name));
    }
    return kind.cast(make(registry, run, registry.component(kind, wanted), made));
  }

  private Set<ComponentId> declared() {
    return component.descriptor().dependencies().stream()
        .map(registry::resolved)
        .collect(Collectors.toSet());
  }

  @Override
  public String toString() {
    return "FactoryContext[" + component.id() + "]";
  }
}
