package dev.superstep.graph.internal.kernel;

import dev.superstep.checkpoint.Interrupt;
import dev.superstep.node.Command;
import dev.superstep.node.Send;
import java.util.List;

/// The continuation after a finished task.
public sealed interface Next {
  Next EDGES = new Edges();

  /// The edges of its node.
  record Edges() implements Next {}

  /// The targets of its command, in place of edges or beside them.
  record Goto(List<String> nodes, List<Send<?>> sends) implements Next {
    public static Goto of(Command command) {
      return new Goto(command.gotos(), command.sends());
    }
  }

  /// A command to an outer graph, which ends its own.
  ///
  /// @param levels how many graphs are left
  /// @param command with the channels, nodes and targets of the graph that is reached
  record Leave(int levels, TaskResult.Finished command) implements Next {}

  /// The answer to a question, and then the same node.
  record Ask(Interrupt question) implements Next {}
}
