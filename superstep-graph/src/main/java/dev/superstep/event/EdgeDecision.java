package dev.superstep.event;

import dev.superstep.topology.Topology;
import dev.superstep.topology.Topology.EdgeKind;
import java.util.List;

/// The decision on an edge at the end of a superstep: whether it was followed, and why. Immutable.
///
/// @param kind the condition under which such an edge is followed
/// @param from its source, or its sources for a join; for a trigger the channels
/// @param label what the router gives to choose it; empty if that is the target's name
/// @param why one sentence for people, without a full stop; its words may change
public record EdgeDecision(
    EdgeKind kind, List<String> from, String to, String label, boolean taken, String why) {
  public EdgeDecision {
    from = List.copyOf(from);
  }

  /// The edge and the reason on one line.
  public String text() {
    var sources = String.join("+", from.stream().map(EdgeDecision::name).toList());
    if (kind == EdgeKind.TRIGGERED) sources = "[" + sources + "]";
    var how = label.isEmpty() ? "" : " (" + label + ")";
    return sources + " -> " + name(to) + how + ": " + why;
  }

  private static String name(String node) {
    return switch (node) {
      case Topology.START -> "START";
      case Topology.END -> "END";
      default -> node;
    };
  }
}
