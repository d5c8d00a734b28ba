package dev.superstep.journal;

import dev.superstep.event.Event;
import java.util.List;
import java.util.TreeMap;

/// The failures of a thread's nodes, counted. Immutable.
///
/// @param nodes by graph and name
/// @param tasks what is at work
public record Health(List<NodeHealth> nodes, TasksAtWork tasks) {
  static final Health NONE = new Health(List.of(), TasksAtWork.NONE);

  public Health {
    nodes = List.copyOf(nodes);
  }

  /// The tasks of a node by how they ended.
  ///
  /// @param started how many began; those without a known end are at work, asked, or died with
  ///   their process
  /// @param finished how many ended well
  /// @param failed how many failed in the end, whether or not the node's policy handles it
  /// @param retries how often it was tried again
  public record NodeHealth(
      String graph, String node, long started, long finished, long failed, long retries) {
    /// Of those that ended, the share that failed, from 0 to 1; 0 if none has ended.
    public double failureRate() {
      long ended = finished + failed;
      return ended == 0 ? 0 : (double) failed / ended;
    }

    NodeHealth plus(NodeHealth more) {
      return new NodeHealth(
          graph,
          node,
          started + more.started,
          finished + more.finished,
          failed + more.failed,
          retries + more.retries);
    }
  }

  /// The health of a node; all zero if it never began.
  public NodeHealth of(String graph, String node) {
    for (var health : nodes) {
      if (health.graph().equals(graph) && health.node().equals(node)) return health;
    }
    return new NodeHealth(graph, node, 0, 0, 0, 0);
  }

  Health after(Event event) {
    var graph = event.origin().graph();
    var left = tasks.after(event);
    return switch (event) {
      case Event.NodeStarted e -> with(new NodeHealth(graph, e.node(), 1, 0, 0, 0), left);
      case Event.NodeRetried e -> with(new NodeHealth(graph, e.node(), 0, 0, 0, 1), left);
      case Event.NodeFailed e -> with(new NodeHealth(graph, e.node(), 0, 0, 1, 0), left);
      // A handled failure is also published as finished; and a cached task never began.
      case Event.NodeFinished e ->
          tasks.since(e).isEmpty() ? this : with(new NodeHealth(graph, e.node(), 0, 1, 0, 0), left);
      case Event _ -> left.equals(tasks) ? this : new Health(nodes, left);
    };
  }

  private Health with(NodeHealth more, TasksAtWork left) {
    var sorted = new TreeMap<List<String>, NodeHealth>(TasksAtWork.BY_NAME);
    for (var node : nodes) sorted.put(List.of(node.graph(), node.node()), node);
    sorted.merge(List.of(more.graph(), more.node()), more, NodeHealth::plus);
    return new Health(List.copyOf(sorted.values()), left);
  }
}
