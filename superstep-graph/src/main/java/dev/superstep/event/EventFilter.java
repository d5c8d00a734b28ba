package dev.superstep.event;

import java.util.List;
import java.util.Set;

/// Chooses among events, by what they are about and where they happened. Filters are data: they can
/// be combined, compared and stored. Immutable.
///
/// ```java
/// EventFilter.thread("t-42").and(EventFilter.kinds(Kind.LIFECYCLE, Kind.INTERRUPTS))
/// ```
public sealed interface EventFilter {
  /// Returns whether the event is chosen.
  default boolean matches(Event event) {
    return switch (this) {
      case All() -> true;
      case OfKinds(var kinds) -> kinds.contains(event.kind());
      case OfRun(var run) -> event.origin().run().equals(run);
      case OfThread(var thread) -> event.origin().thread().filter(thread::equals).isPresent();
      case OfGraph(var graph) -> event.origin().graph().equals(graph);
      case OfNode(var node) -> event instanceof Event.OfNode of && of.node().equals(node);
      case OfChannel(var channel) ->
          event instanceof Event.PieceArrived piece && piece.channel().equals(channel);
      case Within(var path) -> {
        var at = event.origin().path();
        yield at.size() >= path.size() && at.subList(0, path.size()).equals(path);
      }
      case Safe() -> !event.isProvisional();
      case Both(var first, var second) -> first.matches(event) && second.matches(event);
      case Either(var first, var second) -> first.matches(event) || second.matches(event);
      case Not(var other) -> !other.matches(event);
    };
  }

  /// Every event.
  static EventFilter all() {
    return new All();
  }

  /// Events of these kinds. Details come only if they were asked for, see [Detail].
  static EventFilter kinds(Kind... kinds) {
    return new OfKinds(Set.of(kinds));
  }

  /// Events of one run, with all its subgraphs.
  static EventFilter run(String run) {
    return new OfRun(run);
  }

  /// Events of one thread, over all its runs.
  static EventFilter thread(String thread) {
    return new OfThread(thread);
  }

  /// Events of one graph, wherever it runs.
  static EventFilter graph(String graph) {
    return new OfGraph(graph);
  }

  /// Events of the tasks of one node, wherever it is.
  static EventFilter node(String node) {
    return new OfNode(node);
  }

  /// The pieces of what nodes write to one channel, wherever they are.
  static EventFilter channel(String channel) {
    return new OfChannel(channel);
  }

  /// Events of the graph that runs at this path of nodes, and of its subgraphs; see [Origin#path].
  static EventFilter within(String... path) {
    return new Within(List.of(path));
  }

  /// Events about something that is safe, or about nothing that will be saved; see
  /// [Event#isProvisional].
  static EventFilter safe() {
    return new Safe();
  }

  /// Chooses the events that both filters choose.
  default EventFilter and(EventFilter other) {
    return new Both(this, other);
  }

  /// Chooses the events that either filter chooses.
  default EventFilter or(EventFilter other) {
    return new Either(this, other);
  }

  /// Chooses the events that this filter does not choose.
  default EventFilter not() {
    return new Not(this);
  }

  /// See [EventFilter#all].
  record All() implements EventFilter {}

  /// See [EventFilter#kinds].
  record OfKinds(Set<Kind> kinds) implements EventFilter {
    public OfKinds {
      kinds = Set.copyOf(kinds);
    }
  }

  /// See [EventFilter#run].
  record OfRun(String run) implements EventFilter {}

  /// See [EventFilter#thread].
  record OfThread(String thread) implements EventFilter {}

  /// See [EventFilter#graph].
  record OfGraph(String graph) implements EventFilter {}

  /// See [EventFilter#node].
  record OfNode(String node) implements EventFilter {}

  /// See [EventFilter#channel].
  record OfChannel(String channel) implements EventFilter {}

  /// See [EventFilter#within].
  record Within(List<String> path) implements EventFilter {
    public Within {
      path = List.copyOf(path);
    }
  }

  /// See [EventFilter#safe].
  record Safe() implements EventFilter {}

  /// See [EventFilter#and].
  record Both(EventFilter first, EventFilter second) implements EventFilter {}

  /// See [EventFilter#or].
  record Either(EventFilter first, EventFilter second) implements EventFilter {}

  /// See [EventFilter#not].
  record Not(EventFilter other) implements EventFilter {}
}
