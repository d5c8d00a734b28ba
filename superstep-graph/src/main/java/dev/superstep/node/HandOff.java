package dev.superstep.node;

/// The result of a node in a [dev.superstep.graph.Subgraph] that ends the subgraph, and says what
/// an outer graph writes and runs next. The command uses the channels, nodes and targets of that
/// outer graph, which must allow it by [dev.superstep.graph.GraphBuilder#handOffs]. Immutable.
///
/// The siblings of the node finish first, and their work and that of the node is not repeated; but
/// the graphs that are left end with the state of their last superstep. If several nodes of one
/// superstep hand off, their commands are joined in task order; a hand-off to a graph further out
/// overrides those to nearer ones.
///
/// @param to the outer graph
/// @param command what that graph writes and runs, instead of following the edges of the subgraph
public record HandOff(Destination to, Command command) implements NodeResult {
  /// The outer graph that receives control.
  public sealed interface Destination {
    /// The graph of which this one is a node.
    record Parent() implements Destination {}

    /// The innermost enclosing graph with this name.
    record Named(String graph) implements Destination {}
  }

  /// Returns a copy whose command has these writes added.
  public HandOff with(Update more) {
    return new HandOff(to, command.with(more));
  }

  /// Returns a copy whose command has one more send.
  public <A> HandOff andSend(Target<A> target, A argument) {
    return new HandOff(to, command.andSend(target, argument));
  }
}
