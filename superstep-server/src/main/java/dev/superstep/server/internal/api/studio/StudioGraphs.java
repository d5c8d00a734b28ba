package dev.superstep.server.internal.api.studio;

import dev.superstep.server.graph.NotServed;
import dev.superstep.server.graph.ServedGraph;
import java.util.List;
import java.util.Optional;

/// The graphs of the server, and the programs that it cannot serve. Immutable.
public record StudioGraphs(List<ServedGraph> served, List<NotServed> others) {
  public StudioGraphs {
    served = List.copyOf(served);
    others = List.copyOf(others);
  }

  /// The graph with this id.
  Optional<ServedGraph> find(String id) {
    return served.stream().filter(each -> each.id().equals(id)).findFirst();
  }

  /// A graph that wrote under this name.
  Optional<ServedGraph> named(String name) {
    return served.stream().filter(each -> each.graph().name().equals(name)).findFirst();
  }
}
