package dev.superstep.graph.internal.kernel;

import dev.superstep.node.EngineResult;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Update;
import dev.superstep.state.Write;
import java.util.ArrayList;

/// The result of a subgraph's task, with what no node can return by itself.
public record SubgraphResult(TaskResult end) implements EngineResult {
  @Override
  public EngineResult and(Update more) {
    if (!(end instanceof TaskResult.Finished finished)) return this;
    var all = new ArrayList<Write>(finished.writes());
    all.addAll(more.writes());
    return new SubgraphResult(finished.with(all));
  }

  /// Returns the result of a node whose subgraph has ended.
  public static NodeResult of(SubgraphNode inside, Snapshot end) {
    var output = inside.subgraph().output();
    if (output != null) return output.apply(end);
    var sharedWrites = inside.graph().sharedWrites();
    if (sharedWrites == null) throw new IllegalStateException("a shared graph has shared writes");
    return new SubgraphResult(TaskResult.Finished.writing(sharedWrites.writes(end)));
  }
}
