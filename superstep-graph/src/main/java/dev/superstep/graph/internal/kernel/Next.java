package dev.superstep.graph.internal.kernel;

import dev.superstep.checkpoint.Interrupt;
import dev.superstep.node.Command;
import dev.superstep.node.Send;
import dev.superstep.state.Write;
import java.util.ArrayList;
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
  record Leave(int levels, TaskResult.Finished command) implements Next {
    /// Joins all hand-offs of a superstep into the result of the task around the graph.
    ///
    /// @param writes to the channels of that task's own graph
    static TaskResult outward(List<TaskResult> ends, List<Write> writes) {
      var all = new ArrayList<Leave>();
      for (var end : ends) {
        if (end instanceof TaskResult.Finished(_, Leave leave, _, _)) all.add(leave);
      }
      int levels = all.stream().mapToInt(Leave::levels).max().orElse(0);
      boolean arrives = levels == 1;
      var commanded = new ArrayList<Write>(arrives ? writes : List.of());
      var gotos = new ArrayList<String>();
      var sends = new ArrayList<Send<?>>();
      for (var leave : all) {
        if (leave.levels() < levels) continue;
        commanded.addAll(leave.command().writes());
        if (!(leave.command().next() instanceof Goto named)) continue;
        gotos.addAll(named.nodes());
        sends.addAll(named.sends());
      }
      var command = new TaskResult.Finished(commanded, new Goto(gotos, sends));
      return arrives ? command : new TaskResult.Finished(writes, new Leave(levels - 1, command));
    }
  }

  /// The answer to a question, and then the same node.
  record Ask(Interrupt question) implements Next {}
}
