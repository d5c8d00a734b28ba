package dev.superstep.registry;

import dev.superstep.lock.Mutex;
import dev.superstep.registry.Diagnostic.Severity;
import dev.superstep.registry.RegistrySnapshot.Alias;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

/// The named components of which a program is assembled. A program may have several registries;
/// none is global, and none runs anything by itself.
///
/// ```java
/// var registry = Registry.named("desk");
/// registry.register(Component.of(Kind.MODEL, "fast", model));
/// registry.alias(Kind.MODEL, "cheap", "fast");
/// ChatModel cheap = registry.get(Kind.MODEL, "cheap");
/// ```
///
/// A name without a version means the component without one; use an alias to select one of several
/// versions. Safe for many threads. Listeners are called after the change, outside the lock.
public final class Registry {
  private final String name;
  private final Mutex lock = new Mutex();
  private final Map<ComponentId, Component<?>> components = new TreeMap<>();
  private final Map<ComponentId, ComponentId> aliases = new TreeMap<>();
  private final List<RegistryListener> listeners = new CopyOnWriteArrayList<>();
  private boolean locked;

  private Registry(String name) {
    this.name = name;
  }

  /// Makes an empty registry.
  ///
  /// @param name in snake case, for messages and snapshots
  /// @throws InvalidComponentName if it is not valid
  public static Registry named(String name) {
    return new Registry(ComponentId.checked("registry", name));
  }

  public String name() {
    return name;
  }

  /// Adds a listener for all later events.
  public Registry listener(RegistryListener listener) {
    listeners.add(listener);
    return this;
  }

  /// Adds a component.
  ///
  /// @throws DuplicateComponent if its id is taken
  /// @throws RegistryLocked if the registry is locked
  public Registry register(Component<?> component) {
    var id = component.id();
    change(
        id,
        () -> {
          if (components.containsKey(id)) throw new DuplicateComponent(id, name);
          components.put(id, component);
        });
    publish(new RegistryEvent.ComponentRegistered(id));
    return this;
  }

  /// Registers a component, and replaces one with the same id.
  ///
  /// @throws ImmutableVersion if there is one and it has a version
  /// @throws RegistryLocked if the registry is locked
  public Registry replace(Component<?> component) {
    var id = component.id();
    var there = new boolean[1];
    change(
        id,
        () -> {
          there[0] = components.containsKey(id);
          if (there[0] && id.version().isPresent()) throw new ImmutableVersion(id);
          components.put(id, component);
        });
    publish(
        there[0]
            ? new RegistryEvent.ComponentReplaced(id)
            : new RegistryEvent.ComponentRegistered(id));
    return this;
  }

  /// Removes a component.
  ///
  /// @throws UnknownComponent if it is not registered
  /// @throws ImmutableVersion if it has a version, because another component could get its id
  /// @throws RegistryLocked if the registry is locked
  public Registry remove(ComponentId id) {
    change(
        id,
        () -> {
          if (!components.containsKey(id)) throw links().unknown(id);
          if (id.version().isPresent()) throw new ImmutableVersion(id);
          components.remove(id);
        });
    publish(new RegistryEvent.ComponentRemoved(id));
    return this;
  }

  /// Gives a component another name; the component may be registered later. An existing alias gets
  /// the new target. Aliases have precedence over components.
  ///
  /// @throws RegistryLocked if the registry is locked
  public Registry alias(Kind<?> kind, String alias, String target) {
    var id = kind.id(alias);
    change(id, () -> aliases.put(id, kind.id(target)));
    return this;
  }

  /// Refuses all further changes.
  public Registry lock() {
    locking(() -> locked = true);
    return this;
  }

  public boolean isLocked() {
    return locking(() -> locked);
  }

  /// Returns a component that all callers share.
  ///
  /// @param text as [Kind#id] reads it
  /// @throws UnknownComponent if there is none
  /// @throws NotASingleton if a factory makes it for each caller
  /// @throws WrongType if it was registered with a kind of another type
  public <T> T get(Kind<T> kind, String text) {
    var component = looked(kind, kind.id(text));
    return component.fixed().orElseThrow(() -> new NotASingleton(component.id()));
  }

  /// Returns a shared component, if it is registered.
  ///
  /// @throws NotASingleton if a factory makes it for each caller
  /// @throws WrongType if it was registered with a kind of another type
  public <T> Optional<T> find(Kind<T> kind, String text) {
    try {
      return Optional.of(get(kind, text));
    } catch (UnknownComponent _) {
      return Optional.empty();
    }
  }

  /// Returns a component for one run: made by its factory, with its dependencies made for the same
  /// run, or the shared one.
  ///
  /// @param run the id of the run, or another key
  /// @throws UnknownComponent if there is none
  /// @throws MissingDependency if a dependency is not registered
  /// @throws DependencyCycle if a dependency depends on itself
  /// @throws InstantiationFailed if a factory threw
  public <T> T instantiate(Kind<T> kind, String text, String run) {
    var component = looked(kind, kind.id(text));
    resolve(component.id());
    return kind.cast(FactoryContext.make(this, run, component));
  }

  /// Lists the direct and indirect dependencies of a component, each after its own dependencies.
  ///
  /// @throws UnknownComponent if there is none with that id
  /// @throws MissingDependency if one is not registered
  /// @throws DependencyCycle if a component depends on itself
  public List<ComponentId> resolve(ComponentId id) {
    try {
      var order = locking(() -> links().order(links().resolved(id)));
      publish(new RegistryEvent.ResolveCompleted(id, order));
      return order;
    } catch (UnknownComponent | MissingDependency | DependencyCycle | AliasLoop e) {
      publish(new RegistryEvent.ResolveFailed(id, String.valueOf(e.getMessage())));
      throw e;
    }
  }

  /// The descriptions of all components, sorted by kind and name.
  public List<Descriptor> list() {
    return snapshot().components();
  }

  /// The descriptions of all components of a kind, sorted by name.
  public List<Descriptor> list(Kind<?> kind) {
    return list().stream().filter(each -> each.id().kind().equals(kind.name())).toList();
  }

  /// Returns the description of a component.
  ///
  /// @param id may be an alias
  /// @throws UnknownComponent if there is none
  public Descriptor describe(ComponentId id) {
    return found(id).descriptor();
  }

  /// The current contents.
  public RegistrySnapshot snapshot() {
    return locking(() ->
        new RegistrySnapshot(
            name,
            locked,
            components.values().stream().map(Component::descriptor).toList(),
            aliases.entrySet().stream().map(e -> new Alias(e.getKey(), e.getValue())).toList()));
  }

  /// Checks the registry and returns its errors and warnings. Errors are published to listeners.
  public List<Diagnostic> diagnose() {
    var found = RegistryCheck.of(snapshot());
    var errors = found.stream().filter(each -> each.severity() == Severity.ERROR).toList();
    if (!errors.isEmpty()) publish(new RegistryEvent.ValidationFailed(errors));
    return List.copyOf(found);
  }

  /// Follows aliases to the id of a component, and publishes each of them.
  ComponentId resolved(ComponentId id) {
    var hops = locking(() -> ComponentLinks.hops(aliases, id));
    for (int i = 1; i < hops.size(); i++) {
      publish(new RegistryEvent.AliasResolved(hops.get(i - 1), hops.get(i)));
    }
    return hops.getLast();
  }

  /// The component of an id that is no alias.
  <T> Component<T> component(Kind<T> kind, ComponentId id) {
    var component = locking(() -> Optional.<Component<?>>ofNullable(components.get(id)));
    if (component.isEmpty()) throw locking(() -> links().unknown(id));
    return typed(kind, component.get());
  }

  Object made(Component<?> component, FactoryContext parts) {
    var id = component.id();
    try {
      var made = component.factory().make(parts);
      if (!component.kind().type().isInstance(made)) {
        var found = made == null ? Void.class : made.getClass();
        throw new WrongType(id, component.kind().type(), found);
      }
      if (component.fixed().isEmpty()) {
        publish(new RegistryEvent.InstantiateCompleted(id, parts.run()));
      }
      return made;
    } catch (Exception e) {
      if (e instanceof InterruptedException) Thread.currentThread().interrupt();
      publish(new RegistryEvent.InstantiateFailed(id, parts.run(), String.valueOf(e.getMessage())));
      throw e instanceof InstantiationFailed inner ? inner : new InstantiationFailed(id, e);
    }
  }

  private <T> Component<T> looked(Kind<T> kind, ComponentId id) {
    return typed(kind, found(id));
  }

  private Component<?> found(ComponentId id) {
    var target = resolved(id);
    var component = locking(() -> Optional.<Component<?>>ofNullable(components.get(target)));
    if (component.isEmpty()) {
      publish(new RegistryEvent.LookupMissed(target));
      throw locking(() -> links().unknown(target));
    }
    publish(new RegistryEvent.LookupHit(target));
    return component.get();
  }

  @SuppressWarnings("unchecked") // equal kinds have the same type
  private static <T> Component<T> typed(Kind<T> kind, Component<?> component) {
    if (!component.kind().equals(kind)) {
      throw new WrongType(component.id(), kind.type(), component.kind().type());
    }
    return (Component<T>) component;
  }

  /// Returns the references; call it while holding the lock.
  private ComponentLinks links() {
    var needs = new TreeMap<ComponentId, List<ComponentId>>();
    components.forEach((id, component) -> needs.put(id, component.descriptor().dependencies()));
    return new ComponentLinks(name, aliases, needs);
  }

  private void change(ComponentId id, Runnable change) {
    locking(() -> {
      if (locked) throw new RegistryLocked(name, id);
      change.run();
      return id;
    });
  }

  private <R> R locking(Supplier<R> work) {
    try (var _ = lock.hold()) {
      return work.get();
    }
  }

  private void publish(RegistryEvent event) {
    for (var listener : listeners) {
      try {
        listener.on(event);
      } catch (RuntimeException e) {
        System.getLogger(Registry.class.getName())
            .log(System.Logger.Level.WARNING, "A listener of registry " + name + " threw.", e);
      }
    }
  }

  @Override
  public String toString() {
    return "Registry[" + name + ", " + components.size() + " components]";
  }
}
