package dev.superstep.graph.internal.kernel;

import dev.superstep.node.Send;
import dev.superstep.run.Input;
import java.util.List;
import java.util.Set;

/// A reason for the tasks that are due next, recorded where that is decided: by the frontier for
/// each task that ended, then by each join of those tasks, then by each trigger. Immutable.
public sealed interface RoutingReason {
  /// A reason that lies in how a task of a node ended.
  sealed interface OfNode extends RoutingReason {
    NodeSpec node();
  }

  /// Input names what runs first, in place of the edges of START.
  record Seeded(NodeSpec node, Input input) implements OfNode {}

  /// The edges of the node are followed.
  record Followed(NodeSpec node) implements OfNode {}

  /// A router of the node was followed.
  ///
  /// @param router its place among those of the node
  /// @param choice targets, or labels if the router gives them
  /// @param isOverruled whether something chose in place of the router
  record Routed(
      NodeSpec node, int router, List<String> choice, boolean isLabels, boolean isOverruled)
      implements OfNode {}

  /// A router of the node sent arguments.
  ///
  /// @param router its place among those that send
  record FannedOut(NodeSpec node, int router, List<Send<?>> sends) implements OfNode {}

  /// The node returned a command.
  record Commanded(NodeSpec node, Next.Goto command) implements OfNode {}

  /// The node failed, and its handler follows.
  record Failed(NodeSpec node) implements OfNode {}

  /// The node asks a question, and nothing follows before the answer.
  record Asked(NodeSpec node) implements OfNode {}

  /// The end of a superstep for a join.
  ///
  /// @param arrived the sources that have finished, in the generation that the superstep ends in
  /// @param isOpen whether the generation had not fired before
  record Joined(NodeSpec.Join join, Set<String> arrived, boolean isOpen) implements RoutingReason {}

  /// The end of a superstep for a trigger.
  ///
  /// @param missing empty if all tokens are there
  /// @param isReserved whether a task that waits for an answer reserves some of the tokens
  record Triggered(NodeSpec node, List<String> channels, List<String> missing, boolean isReserved)
      implements RoutingReason {}
}
