package dev.superstep.registry;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// Something to be registered: a thing, or how to make one, under a name. Immutable; the `with`
/// methods return changed copies.
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

  /// A thing that all who ask share.
  ///
  /// @param name `name` or `namespace/name`, with or without `@version`
  /// @throws BadName if the name is none
  /// @throws WrongType if the thing does not have the type of the kind
  public static <T> Component<T> of(Kind<T> kind, String name, T thing) {
    var id = kind.id(name);
    if (!kind.type().isInstance(thing)) {
      throw new WrongType(id, kind.type(), thing.getClass());
    }
    return new Component<>(kind, id, _ -> thing, Optional.of(thing), descriptor(id, false));
  }

  /// A thing that is made anew whenever [Registry#instantiate] is called.
  ///
  /// @param name `name` or `namespace/name`, with or without `@version`
  /// @throws BadName if the name is none
  public static <T> Component<T> perRun(Kind<T> kind, String name, Factory<? extends T> factory) {
    var id = kind.id(name);
    return new Component<>(kind, id, factory, Optional.empty(), descriptor(id, true));
  }

  /// The same, for people, in words.
  public Component<T> withDescription(String words) {
    return with(
        new Descriptor(
            id, words, descriptor.tags(), descriptor.dependencies(), descriptor.perRun()));
  }

  /// The same with these tags.
  public Component<T> withTags(String... tags) {
    var sorted = List.copyOf(new TreeSet<>(Set.of(tags)));
    return with(
        new Descriptor(
            id, descriptor.description(), sorted, descriptor.dependencies(), descriptor.perRun()));
  }

  /// The same, which needs these components, as ids such as `model:fast`; aliases are good.
  ///
  /// @throws BadName if one is no id
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

  /// What is told of it.
  public Descriptor descriptor() {
    return descriptor;
  }

  /// The thing itself, if there is one before it is made.
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
}
