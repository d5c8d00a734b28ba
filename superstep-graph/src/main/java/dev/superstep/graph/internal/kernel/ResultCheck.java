package dev.superstep.graph.internal.kernel;

import dev.superstep.error.InvalidUse;
import dev.superstep.error.UnknownTarget;
import dev.superstep.node.Command;
import dev.superstep.state.Channel;
import dev.superstep.state.Write;
import dev.superstep.topology.Topology;
import java.util.List;

/// Refuses a node's result that its graph cannot use, while the node can still fail: once a result
/// is saved as finished, the node does not run again, and nobody could mend it.
final class ResultCheck {
  private final ExecutionGraph executionGraph;
  private final ChannelIndex index;

  ResultCheck(ExecutionGraph executionGraph, ChannelIndex index) {
    this.executionGraph = executionGraph;
    this.index = index;
  }

  /// @throws dev.superstep.state.UndeclaredChannel if it writes a channel that is not there
  /// @throws InvalidUse if it writes a channel that it does not declare
  /// @throws UnknownTarget if its command leads where it may not
  /// @throws InvalidUse if it must return a command and did not
  /// @throws InvalidUse if it may not ask
  void check(NodeSpec node, TaskResult.Finished result) {
    for (var write : result.writes()) checkWrite(node, write.channel());
    switch (result.next()) {
      case Next.Edges() -> {
        if (!node.destinations.isEmpty() && !node.additive)
          throw InvalidUse.missingCommand(node.name());
      }
      case Next.Goto(var nodes, var sends) -> {
        for (var target : nodes) checkGoto(node, target);
        for (var send : sends) {
          checkDestination(node, send.target().name());
          executionGraph.sendable(node.name(), send);
        }
      }
      case Next.Ask _ -> {
        if (node.isSubgraph) throw InvalidUse.misplacedAsk(node.name());
      }
      // The graph that it reaches was asked where it was made.
      case Next.Leave _ -> {}
    }
  }

  void checkWrites(NodeSpec node, List<Write> writes) {
    for (var write : writes) checkWrite(node, write.channel());
  }

  /// Refuses an invalid hand-off from inside a node's subgraph to this graph.
  ///
  /// @param from the node inside
  void checkHandOff(NodeSpec node, String from, Command command) {
    for (var write : command.update().writes()) checkWrite(node, write.channel());
    for (var target : command.gotos()) {
      checkHandOff(node, from, target);
      if (!target.equals(Topology.END)) executionGraph.plain(node.name(), target);
    }
    for (var send : command.sends()) {
      checkHandOff(node, from, send.target().name());
      executionGraph.sendable(node.name(), send);
    }
  }

  private void checkHandOff(NodeSpec node, String from, String target) {
    if (node.handOffs.contains(target)) return;
    if (!target.equals(Topology.END)) executionGraph.known(node.name(), target);
    throw new UnknownTarget(
        node.name(),
        target,
        "node `"
            + from
            + "` inside of it hands off there, but that is not among its hand-offs "
            + node.handOffs
            + ". Add it there.");
  }

  void checkWrite(NodeSpec node, Channel<?, ?> channel) {
    int place = index.place(channel);
    if (node.access == null || node.access.mayWrite(place)) return;
    throw InvalidUse.undeclaredWrite(node.name(), channel.name());
  }

  private void checkGoto(NodeSpec node, String target) {
    checkDestination(node, target);
    if (!target.equals(Topology.END)) executionGraph.plain(node.name(), target);
  }

  private void checkDestination(NodeSpec node, String target) {
    if (node.hasEdges && !node.additive) {
      throw new UnknownTarget(
          node.name(),
          target,
          "it returned a command, but it has edges of its own; keep one of them, or declare"
              + " `additiveDestinations`.");
    }
    if (node.destinations.contains(target)) return;
    executionGraph.known(node.name(), target);
    throw new UnknownTarget(
        node.name(),
        target,
        "it is not among its destinations " + node.destinations + ". Add it there.");
  }
}
