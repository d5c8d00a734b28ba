package dev.superstep.cli.view;

import dev.superstep.cli.host.SafeText;
import dev.superstep.topology.Topology;
import java.util.stream.Collectors;

/// A topology as plain text, a line for each edge.
public final class GraphText {
  private GraphText() {}

  public static String of(Topology topology) {
    var text = new StringBuilder("graph " + topology.graph() + "\n");
    for (var edge : topology.edges()) {
      var from = edge.from().stream().map(GraphText::name).collect(Collectors.joining(" + "));
      text.append("  ").append(from).append(" -> ").append(name(edge.to()));
      text.append(
              switch (edge.kind()) {
                case DIRECT -> "";
                case ROUTED -> "  (if chosen)";
                case SENT -> "  (for each)";
                case JOINED -> "  (when " + needed(edge) + " have finished)";
                case TRIGGERED -> "  (when there is a value)";
                case COMMANDED -> "  (on command)";
                case ADDED -> "  (on command, beside the others)";
                case FAILED -> "  (if it fails for good)";
                case HANDED_OFF -> "  (if it hands off)";
              })
          .append('\n');
    }
    for (var channel : topology.channels()) {
      text.append("  state ")
          .append(channel.name())
          .append(": ")
          .append(channel.type())
          .append(", ")
          .append(channel.kind())
          .append('\n');
    }
    return SafeText.of(text.toString());
  }

  private static String needed(Topology.EdgeShape join) {
    int sources = join.from().size();
    return join.needs() == sources ? "all" : join.needs() + " of " + sources;
  }

  private static String name(String node) {
    return switch (node) {
      case Topology.START -> "START";
      case Topology.END -> "END";
      default -> node;
    };
  }
}
