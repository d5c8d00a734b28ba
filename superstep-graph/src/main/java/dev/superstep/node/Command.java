package dev.superstep.node;

import java.util.ArrayList;
import java.util.List;

/// A node's result that names what runs next, instead of its edges. Immutable.
///
/// @param update what it writes
/// @param gotos the nodes that run next; [dev.superstep.graph.Graph#END] ends this path
/// @param sends the nodes that run next with an argument of their own
public record Command(Update update, List<String> gotos, List<Send<?>> sends)
    implements NodeResult {
  public Command {
    gotos = List.copyOf(gotos);
    sends = List.copyOf(sends);
  }

  /// Goes to these nodes.
  public static Command to(String... nodes) {
    return new Command(new Update(List.of()), List.of(nodes), List.of());
  }

  /// Ends the graph and goes to these nodes of its outer graph.
  public static HandOff toParent(String... nodes) {
    return new HandOff(new HandOff.Destination.Parent(), to(nodes));
  }

  /// Ends the graph, and the outer ones up to the graph with this name, and goes to these nodes
  /// there.
  public static HandOff toGraph(String graph, String... nodes) {
    return new HandOff(new HandOff.Destination.Named(graph), to(nodes));
  }

  /// Sends these arguments.
  public static Command send(List<Send<?>> sends) {
    return new Command(new Update(List.of()), List.of(), sends);
  }

  /// Returns a copy with these writes added.
  public Command with(Update more) {
    return new Command(update.and(more), gotos, sends);
  }

  /// Returns a copy with one more send.
  public <A> Command andSend(Target<A> target, A argument) {
    var all = new ArrayList<>(sends);
    all.add(Send.to(target, argument));
    return new Command(update, gotos, all);
  }
}
