package dev.superstep.registry;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonTypeName;
import dev.superstep.catalog.CatalogEvent;
import dev.superstep.event.Event;
import dev.superstep.json.Json;
import java.util.Collections;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// An event of any part of a program, on its way through an [EventBus]. Immutable.
///
/// @param name the kind of the event, family first, such as `registry.component_registered`
/// @param component the component that it is about, if any
/// @param run the run in which it happened, if any
/// @param thread the thread in which it happened, if any
public record BusEvent(
    String name,
    Level level,
    Optional<ComponentId> component,
    Optional<String> run,
    Optional<String> thread,
    Set<String> tags,
    Payload payload) {
  public BusEvent {
    tags = Collections.unmodifiableSet(new TreeSet<>(tags));
  }

  /// The severity of an event, in ascending order.
  public enum Level {
    DEBUG,
    INFO,
    WARNING,
    ERROR
  }

  /// The content of an event.
  public sealed interface Payload {
    /// An event of a run.
    record OfRun(Event event) implements Payload {}

    /// An event of a registry.
    record OfRegistry(RegistryEvent event) implements Payload {}

    /// An event of a catalogue of models.
    record OfCatalog(CatalogEvent event) implements Payload {}

    /// Any other event.
    record Custom(Json value) implements Payload {}

    /// A marker for events that were dropped here, because the listener was too slow.
    record Lost(long count) implements Payload {}

    /// A marker for content that this listener may not see.
    record Withheld() implements Payload {}
  }

  /// Wraps an event of a run. Its level is that of the failure or warning that it reports, if it
  /// reports one; details are [Level#DEBUG].
  public static BusEvent of(Event event) {
    var named = requireNonNull(event.getClass().getAnnotation(JsonTypeName.class));
    var origin = event.origin();
    return new BusEvent(
        named.value(),
        level(event),
        Optional.empty(),
        Optional.of(origin.run()),
        origin.thread(),
        origin.labels().keySet(),
        new Payload.OfRun(event));
  }

  /// Wraps an event of a registry.
  public static BusEvent of(RegistryEvent event) {
    var level =
        switch (event) {
          case RegistryEvent.InstantiateFailed _,
              RegistryEvent.ResolveFailed _,
              RegistryEvent.ValidationFailed _ ->
              Level.ERROR;
          case RegistryEvent.LookupMissed _ -> Level.WARNING;
          case RegistryEvent.LookupHit _,
              RegistryEvent.AliasResolved _,
              RegistryEvent.ResolveCompleted _ ->
              Level.DEBUG;
          case RegistryEvent.ComponentRegistered _,
              RegistryEvent.ComponentReplaced _,
              RegistryEvent.ComponentRemoved _,
              RegistryEvent.InstantiateCompleted _ ->
              Level.INFO;
        };
    var payload = new Payload.OfRegistry(event);
    var run =
        switch (event) {
          case RegistryEvent.InstantiateCompleted made -> Optional.of(made.run());
          case RegistryEvent.InstantiateFailed failed -> Optional.of(failed.run());
          case RegistryEvent _ -> Optional.<String>empty();
        };
    return new BusEvent(
        event.name(), level, event.about(), run, Optional.empty(), Set.of(), payload);
  }

  /// Wraps an event of a catalogue of models.
  public static BusEvent of(CatalogEvent event) {
    var level =
        switch (event) {
          case CatalogEvent.SnapshotFailed _, CatalogEvent.RefreshFailed _ -> Level.ERROR;
          case CatalogEvent.LookupMissed _, CatalogEvent.Stale _ -> Level.WARNING;
          case CatalogEvent.LookupHit _ -> Level.DEBUG;
          case CatalogEvent.SnapshotLoaded _,
              CatalogEvent.OverrideApplied _,
              CatalogEvent.RefreshStarted _,
              CatalogEvent.RefreshCompleted _ ->
              Level.INFO;
        };
    return custom(event.name(), level, new Payload.OfCatalog(event));
  }

  /// Makes an event of the program's own.
  ///
  /// @param name family first, such as `billing.closed`
  public static BusEvent of(String name, Level level, Json value) {
    return custom(name, level, new Payload.Custom(value));
  }

  /// Returns a copy about this component.
  public BusEvent withComponent(ComponentId id) {
    return new BusEvent(name, level, Optional.of(id), run, thread, tags, payload);
  }

  /// Returns a copy in this run.
  public BusEvent withRun(String id) {
    return new BusEvent(name, level, component, Optional.of(id), thread, tags, payload);
  }

  /// Returns a copy in this thread.
  public BusEvent withThread(String id) {
    return new BusEvent(name, level, component, run, Optional.of(id), tags, payload);
  }

  /// Returns a copy with these tags and no others.
  public BusEvent withTags(String... newTags) {
    return new BusEvent(name, level, component, run, thread, Set.of(newTags), payload);
  }

  /// Returns a copy with other content.
  public BusEvent withPayload(Payload other) {
    return new BusEvent(name, level, component, run, thread, tags, other);
  }

  /// Makes a marker for dropped events.
  static BusEvent lost(BusEvent last, long count) {
    return new BusEvent(
        "events.dropped",
        Level.WARNING,
        Optional.empty(),
        last.run,
        last.thread,
        Set.of(),
        new Payload.Lost(count));
  }

  private static BusEvent custom(String name, Level level, Payload payload) {
    return new BusEvent(
        name, level, Optional.empty(), Optional.empty(), Optional.empty(), Set.of(), payload);
  }

  private static Level level(Event event) {
    if (event instanceof Event.RunFailed || event instanceof Event.NodeFailed) return Level.ERROR;
    if (event instanceof Event.NodeRetried
        || event instanceof Event.MatrixFailed
        || event instanceof Event.EventsDropped) {
      return Level.WARNING;
    }
    return switch (event.kind()) {
      case LIFECYCLE, INTERRUPTS, CUSTOM -> Level.INFO;
      case VALUES, UPDATES, TASKS, CHECKPOINTS, ROUTES, FORKS, MESSAGES, PIECES -> Level.DEBUG;
    };
  }
}
