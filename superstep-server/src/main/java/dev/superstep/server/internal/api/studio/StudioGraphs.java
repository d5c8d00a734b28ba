package dev.superstep.server.internal.api.studio;

import dev.superstep.server.graph.ServedGraph;
import java.util.List;
import java.util.Optional;

/// The graphs of the server, and the programs that it cannot serve. Immutable.
public record StudioGraphs(List<ServedGraph> served, List<NotServed> others) {
  /// A program that was found and cannot be started by a request.
  ///
  /// @param why with what to do about it
  public record NotServed(String id, String description, String why) {}

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
