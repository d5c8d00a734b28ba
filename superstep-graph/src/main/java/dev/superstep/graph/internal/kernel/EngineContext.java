package dev.superstep.graph.internal.kernel;

import dev.superstep.call.CallContext;
import dev.superstep.checkpoint.Interrupt;
import dev.superstep.checkpoint.Memory;
import dev.superstep.json.Json;
import dev.superstep.node.ContextKey;
import dev.superstep.node.NodeResult;
import dev.superstep.run.Input;
import dev.superstep.state.State;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The context of a task, as the engine's own code sees it.
public interface EngineContext extends CallContext {
  /// Runs the subgraph of this node, or resumes it, and returns the node's result. If it asks, the
  /// node is suspended with all its questions.
  NodeResult nested(NestedCall call) throws InterruptedException;

  /// Runs a graph inside this node beside others, or resumes it. What it asks of people suspends
  /// the node.
  InsideEnd inside(InsideCall call) throws InterruptedException;

  /// The id of the task as which a graph runs inside this node.
  ///
  /// @param key names it among the graphs that run inside
  String insideTask(String key);

  /// A graph that code of a node wants to run inside. Immutable.
  ///
  /// @param key names it among the graphs that run inside
  /// @param begun the id of the task as which it began; empty if it begins now
  /// @param from the memory that it continues from
  /// @param answers of the node itself, by interrupt id
  /// @param isAsking whether the node itself is asked what need not be asked of people
  record InsideCall(
      String key,
      String begun,
      Optional<Memory> from,
      NestedCall nested,
      Map<String, Json> answers,
      boolean isAsking) {}

  /// The end of a graph that ran inside a node beside others.
  ///
  /// @param task the id of the task as which it began
  /// @param asked what the node itself is asked; empty if the graph has ended
  /// @param left the memory of a graph that remembers
  record InsideEnd(String task, List<Interrupt> asked, Optional<Memory> left) {
    public InsideEnd {
      asked = List.copyOf(asked);
    }
  }

  /// A graph in its place in another. The context knows no more of it, so that graphs may know
  /// contexts.
  interface InnerGraph {}

  /// A graph that a task wants to run inside itself. Immutable.
  ///
  /// @param input made only if there is no state to resume
  /// @param outer the state of the task's own graph
  /// @param chosen what runs in place of the graph of the node; null if that does
  /// @param given values for all nodes inside, beside those of the caller of the run
  record NestedCall(
      Supplier<Input> input,
      State outer,
      @Nullable InnerGraph chosen,
      Map<ContextKey<?>, Object> given) {}
}
