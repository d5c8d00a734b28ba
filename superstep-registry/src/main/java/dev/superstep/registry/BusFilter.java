package dev.superstep.registry;

import dev.superstep.registry.BusEvent.Level;

/// A condition on events of an [EventBus]: their subject, and the run and thread in which they
/// happened. Filters are data: they can be combined, compared and stored. Immutable.
///
/// ```java
/// BusFilter.kind("registry").and(BusFilter.atLeast(Level.WARNING))
/// ```
public sealed interface BusFilter {
  /// Returns whether the event passes the filter.
  default boolean matches(BusEvent event) {
    return switch (this) {
      case All() -> true;
      case OfKind(var nameOrFamily) ->
          event.name().equals(nameOrFamily) || event.name().startsWith(nameOrFamily + ".");
      case OfComponent(var id) -> event.component().filter(id::equals).isPresent();
      case OfRun(var run) -> event.run().filter(run::equals).isPresent();
      case OfThread(var thread) -> event.thread().filter(thread::equals).isPresent();
      case Tagged(var tag) -> event.tags().contains(tag);
      case AtLeast(var level) -> event.level().compareTo(level) >= 0;
      case Both(var first, var second) -> first.matches(event) && second.matches(event);
      case Either(var first, var second) -> first.matches(event) || second.matches(event);
      case Not(var other) -> !other.matches(event);
    };
  }

  /// Every event.
  static BusFilter all() {
    return new All();
  }

  /// Events of one name, such as `registry.lookup_missed`, or of one family, such as `registry`.
  static BusFilter kind(String nameOrFamily) {
    return new OfKind(nameOrFamily);
  }

  /// Events about one component.
  static BusFilter component(ComponentId id) {
    return new OfComponent(id);
  }

  /// Events of one run.
  static BusFilter run(String run) {
    return new OfRun(run);
  }

  /// Events of one thread, over all its runs.
  static BusFilter thread(String thread) {
    return new OfThread(thread);
  }

  /// Events with a tag. Events of runs have the names of their labels as tags.
  static BusFilter tag(String tag) {
    return new Tagged(tag);
  }

  /// Events of at least this level.
  static BusFilter atLeast(Level level) {
    return new AtLeast(level);
  }

  /// Events that pass both filters.
  default BusFilter and(BusFilter other) {
    return new Both(this, other);
  }

  /// Events that pass at least one of the two filters.
  default BusFilter or(BusFilter other) {
    return new Either(this, other);
  }

  /// Events that do not pass this filter.
  default BusFilter not() {
    return new Not(this);
  }

  /// See [BusFilter#all].
  record All() implements BusFilter {}

  /// See [BusFilter#kind].
  record OfKind(String nameOrFamily) implements BusFilter {}

  /// See [BusFilter#component].
  record OfComponent(ComponentId id) implements BusFilter {}

  /// See [BusFilter#run].
  record OfRun(String run) implements BusFilter {}

  /// See [BusFilter#thread].
  record OfThread(String thread) implements BusFilter {}

  /// See [BusFilter#tag].
  record Tagged(String tag) implements BusFilter {}

  /// See [BusFilter#atLeast].
  record AtLeast(Level level) implements BusFilter {}

  /// See [BusFilter#and].
  record Both(BusFilter first, BusFilter second) implements BusFilter {}

  /// See [BusFilter#or].
  record Either(BusFilter first, BusFilter second) implements BusFilter {}

  /// See [BusFilter#not].
  record Not(BusFilter other) implements BusFilter {}
}
