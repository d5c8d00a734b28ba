package dev.superstep.graph.internal.kernel;

import dev.superstep.checkpoint.TaskRecord;
import dev.superstep.error.CorruptThread;
import dev.superstep.error.InvalidUse;
import dev.superstep.graph.internal.kernel.WriteCodec.ValueForm;
import dev.superstep.node.HandOff;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The results with which a graph hands off to an outer one.
public final class HandOffs {
  private HandOffs() {}

  /// Returns the result of a task that hands off.
  ///
  /// @throws InvalidUse if there is no such outer graph
  /// @throws dev.superstep.error.UnknownTarget if the outer graph does not allow a target
  /// @throws dev.superstep.state.UndeclaredChannel if it writes a channel that is not there
  public static TaskResult.Finished checked(RunIdentity scope, Task task, HandOff handOff) {
    var around = new ArrayList<String>();
    for (var at = scope.enclosing(); at != null; at = at.scope().enclosing()) {
      var graph = at.scope().graph();
      around.add(graph.name());
      if (!isMeant(graph, handOff.to())) continue;
      var command = handOff.command();
      graph.checkHandOff(at.node(), task.node(), command);
      var writes = WriteCompletion.of(command.update().writes(), WriteCompletion.idsOf(task));
      var result = new TaskResult.Finished(writes, Next.Goto.of(command));
      return new TaskResult.Finished(List.of(), new Next.Leave(around.size(), result));
    }
    throw InvalidUse.noOuterGraph(task.node(), handOff.to(), around);
  }

  private static boolean isMeant(CompiledGraph graph, HandOff.Destination to) {
    return switch (to) {
      case HandOff.Destination.Parent() -> true;
      case HandOff.Destination.Named(var name) -> name.equals(graph.name());
    };
  }

  static TaskRecord.End stored(TaskResult.Finished end, Next.Leave leave, ValueForm form) {
    return new TaskRecord.End.HandedOff(
        leave.levels(),
        WriteCodec.encode(end.writes(), form),
        CheckpointCodec.finished(leave.command(), form),
        Optional.ofNullable(end.left()));
  }

  /// Returns the result of a task that handed off in an earlier run.
  ///
  /// @param graph of the task
  /// @param parent where that graph runs
  public static TaskResult.Finished restored(
      CompiledGraph graph, @Nullable ParentTask parent, TaskRecord.End.HandedOff end) {
    if (end.command().gotos().isEmpty()) throw new CorruptThread("a hand-off has no command");
    var own = new CheckpointCodec(graph).restored(end.kept());
    var command = new CheckpointCodec(reached(parent, end.levels())).restored(end.command());
    var next = new Next.Leave(end.levels(), command);
    return new TaskResult.Finished(own, next, null, end.left().orElse(null));
  }

  private static CompiledGraph reached(@Nullable ParentTask parent, int levels) {
    var at = parent;
    for (int i = 1; i < levels && at != null; i++) at = at.scope().enclosing();
    if (at == null || levels < 1) {
      throw new CorruptThread("a task handed off to the graph " + levels + " levels around");
    }
    return at.scope().graph();
  }
}
