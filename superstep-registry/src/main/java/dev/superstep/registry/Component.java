package dev.superstep.registry;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// An entry for a [Registry]: an object or a factory, under a name. Immutable; the `with` methods
/// return changed copies.
///
/// ```java
/// Component.of(Kind.TOOL, "weather", tool)
/// Component.perRun(Kind.AGENT, "triage@2", parts -> agent(parts.get(Kind.MODEL, "fast")))
///     .withDependencies("model:fast")
/// ```
public final class Component<T> {
  private final Kind<T> kind;
  private final ComponentId id;
  private final Factory<? extends T> factory;
  private final Optional<T> fixed;
  private final Descriptor descriptor;

  private Component(
      Kind<T> kind,
      ComponentId id,
      Factory<? extends T> factory,
      Optional<T> fixed,
      Descriptor descriptor) {
    this.kind = kind;
    this.id = id;
    this.factory = factory;
    this.fixed = fixed;
    this.descriptor = descriptor;
  }

  /// A component with one object for all callers.
  ///
  /// @param name `name` or `namespace/name`, with or without `@version`
  /// @throws InvalidComponentName if the name is not valid
  /// @throws WrongType if the object does not have the type of the kind
  public static <T> Component<T> of(Kind<T> kind, String name, T thing) {
    var id = kind.id(name);
    if (!kind.type().isInstance(thing)) {
      throw new WrongType(id, kind.type(), thing.getClass());
    }
    return new Component<>(kind, id, _ -> thing, Optional.of(thing), descriptor(id, false));
  }

  /// A component whose factory is called for each [Registry#instantiate].
  ///
  /// @param name `name` or `namespace/name`, with or without `@version`
  /// @throws InvalidComponentName if the name is not valid
  public static <T> Component<T> perRun(Kind<T> kind, String name, Factory<? extends T> factory) {
    var id = kind.id(name);
    return new Component<>(kind, id, factory, Optional.empty(), descriptor(id, true));
  }

  /// Returns a copy with a description for people.
  public Component<T> withDescription(String words) {
    return with(
        new Descriptor(
            id, words, descriptor.tags(), descriptor.dependencies(), descriptor.perRun()));
  }

  /// Returns a copy with these tags.
  public Component<T> withTags(String... tags) {
    var sorted = List.copyOf(new TreeSet<>(Set.of(tags)));
    return with(
        new Descriptor(
            id, descriptor.description(), sorted, descriptor.dependencies(), descriptor.perRun()));
  }

  /// Returns a copy that depends on these components, given as ids such as `model:fast` or as
  /// aliases.
  ///
  /// @throws InvalidComponentName if one is not a valid id
  public Component<T> withDependencies(String... ids) {
    var needed = List.of(ids).stream().map(ComponentId::parse).toList();
    return with(
        new Descriptor(
            id, descriptor.description(), descriptor.tags(), needed, descriptor.perRun()));
  }

  public Kind<T> kind() {
    return kind;
  }

  public ComponentId id() {
    return id;
  }

  /// The description of the component.
  public Descriptor descriptor() {
    return descriptor;
  }

  /// The object itself, if there is one without calling a factory.
  Optional<T> fixed() {
    return fixed;
  }

  Factory<? extends T> factory() {
    return factory;
  }

  private Component<T> with(Descriptor changed) {
    return new Component<>(kind, id, factory, fixed, changed);
  }

  private static Descriptor descriptor(ComponentId id, boolean perRun) {
    return new Descriptor(id, "", List.of(), List.of(), perRun);
  }

  @Override
  public String toString() {
    return "Component[" + id + "]";
  }
}
