package dev.superstep.server.internal.wire.stream;

import dev.superstep.event.Event;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// The events of the protocol that one event of the engine makes. For one event.
final class ProtocolEventList {
  private final String run;
  private final Namespace namespace;
  private final long millis;
  private final List<ProtocolEvent> events = new ArrayList<>();

  /// @param namespace of the graph in which the event happened
  ProtocolEventList(RunContext run, Event event, String namespace) {
    this.run = run.run();
    this.namespace = Namespace.of(namespace);
    this.millis = event.origin().at().toEpochMilli();
  }

  /// The place of a graph in a thread: the nodes that lead to it, each with its task. Immutable.
  record Namespace(List<String> segments) {
    static final Namespace ROOT = new Namespace(List.of());

    static Namespace of(String joined) {
      return joined.isEmpty() ? ROOT : new Namespace(List.of(joined.split("\\|", -1)));
    }

    /// The graphs on the way to it and itself, from the outside, without the thread's own.
    List<Namespace> way() {
      var all = new ArrayList<Namespace>();
      for (int i = 1; i <= segments.size(); i++) all.add(new Namespace(segments.subList(0, i)));
      return all;
    }

    boolean isInside(Namespace other) {
      int depth = other.segments.size();
      return segments.size() >= depth && segments.subList(0, depth).equals(other.segments);
    }
  }

  Namespace namespace() {
    return namespace;
  }

  void add(String method, JsonNode data) {
    add(namespace, method, Optional.empty(), data);
  }

  void add(String method, String node, JsonNode data) {
    add(namespace, method, Optional.of(node), data);
  }

  void add(Namespace at, String method, JsonNode data) {
    add(at, method, Optional.empty(), data);
  }

  void add(Namespace at, String method, String node, JsonNode data) {
    add(at, method, Optional.of(node), data);
  }

  private void add(Namespace at, String method, Optional<String> node, JsonNode data) {
    events.add(new ProtocolEvent(run, method, at.segments(), millis, node, data));
  }

  List<ProtocolEvent> all() {
    return List.copyOf(events);
  }
}
