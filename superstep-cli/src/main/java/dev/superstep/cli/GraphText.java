package dev.superstep.cli;

import dev.superstep.topology.Topology;
import java.util.stream.Collectors;

/// A topology as plain text, a line for each edge.
final class GraphText {
  private GraphText() {}

  static String of(Topology topology) {
    var text = new StringBuilder("graph " + topology.graph() + "\n");
    for (var edge : topology.edges()) {
      var from = edge.from().stream().map(GraphText::name).collect(Collectors.joining(" + "));
      text.append("  ").append(from).append(" -> ").append(name(edge.to()));
      text.append(
              switch (edge.kind()) {
                case DIRECT -> "";
                case ROUTED -> "  (if chosen)";
                case SENT -> "  (for each)";
                case JOINED -> "  (when all have finished)";
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

  private static String name(String node) {
    return switch (node) {
      case Topology.START -> "START";
      case Topology.END -> "END";
      default -> node;
    };
  }
}
