package dev.superstep.graph.internal.execution;

import dev.superstep.checkpoint.Interrupt;
import dev.superstep.checkpoint.LeaseLost;
import dev.superstep.checkpoint.StoreFailed;
import dev.superstep.graph.internal.kernel.EngineContext.InsideCall;
import dev.superstep.graph.internal.kernel.EngineContext.InsideEnd;
import dev.superstep.graph.internal.kernel.ParentTask;
import dev.superstep.graph.internal.kernel.SubgraphNode;
import dev.superstep.graph.internal.kernel.Task;
import dev.superstep.json.Json;
import dev.superstep.run.Outcome;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// A graph that code of a node runs inside, beside others. Each is saved like the subgraph of a
/// task, under an id of its own. For the thread of the node, or of an item in it.
final class InsideGraph {
  private final RunScope scope;
  private final Task task;
  private final InsideCall call;
  private final Task inner;

  /// The end of the run.
  sealed interface End {
    /// It ended, or asks what is the node's own affair.
    record Ended(InsideEnd end) implements End {}

    /// It waits for people.
    record Asked(List<Interrupt> questions) implements End {}

    /// It stopped before its end.
    record Stopped(Outcome.Reason why) implements End {}
  }

  /// @param own the id of its task if it begins now
  InsideGraph(RunScope scope, Task task, InsideCall call, String own) {
    this.scope = scope;
    this.task = task;
    this.call = call;
    this.inner = task.inside(call.begun().isEmpty() ? own : call.begun(), call.from().orElse(null));
  }

  /// @param answers of the run around
  /// @param isOver whether nobody waits for the node any more; null if its time is not limited
  End run(Map<String, Json> answers, @Nullable BooleanSupplier isOver) throws InterruptedException {
    var known = new HashMap<>(answers);
    // What people have said counts, whatever the node says.
    call.answers().forEach(known::putIfAbsent);
    var parent = new ParentTask(scope.identity(), inner, isOver);
    try {
      var run = new SubgraphRunner.Call(scope, parent, call.nested(), known);
      return switch (scope.subgraphs().run(run)) {
        case SubgraphRunner.End.Completed _ -> ended(List.of());
        case SubgraphRunner.End.Asked(var questions) -> asked(questions);
        case SubgraphRunner.End.Stopped(var reason) -> new End.Stopped(reason);
      };
    } catch (StoreFailed | LeaseLost e) {
      task.unsaved(e);
      throw e;
    }
  }

  private End ended(List<Interrupt> asked) {
    var left = inner.left();
    var own = left == null ? null : left.get(SubgraphNode.path(inner));
    return new End.Ended(new InsideEnd(inner.id(), asked, Optional.ofNullable(own)));
  }

  private End asked(List<Interrupt> questions) {
    if (!call.isAsking() || !(call.nested().chosen() instanceof SubgraphNode graph)) {
      return new End.Asked(questions);
    }
    var people = questions.stream().filter(one -> isForPeople(graph, one)).toList();
    return people.isEmpty() ? ended(questions) : new End.Asked(people);
  }

  /// Approvals are for people, and so is whatever the graph around knows by itself.
  private boolean isForPeople(SubgraphNode inside, Interrupt one) {
    var question = inside.graph().question(one.question());
    return question == null
        || question.isApproval()
        || scope.graph().question(one.question()) != null;
  }
}
