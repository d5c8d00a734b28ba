package dev.superstep.graph.internal.execution;

import dev.superstep.graph.internal.kernel.CompiledGraph;
import dev.superstep.graph.internal.kernel.NestingDepth;
import dev.superstep.graph.internal.kernel.ParentTask;
import dev.superstep.graph.internal.kernel.RunIdentity;
import dev.superstep.graph.internal.kernel.RunSettings;
import dev.superstep.graph.internal.persistence.ThreadLeases;
import dev.superstep.graph.internal.publish.EventPublisher;
import org.jspecify.annotations.Nullable;

/// The run of one graph and the services that all its tasks share. Immutable.
///
/// @param threadLeases the leases under which the run writes, if it is saved
/// @param subgraphs runs the subgraphs of its tasks
public record RunScope(
    RunIdentity identity,
    EventPublisher publisher,
    RunLimits limits,
    @Nullable ThreadLeases threadLeases,
    HitBreakpoints hitBreakpoints,
    SubgraphRunner subgraphs) {
  public CompiledGraph graph() {
    return identity.graph();
  }

  public String run() {
    return identity.run();
  }

  /// The last superstep that the run may take.
  public int limit() {
    return identity.limit();
  }

  /// The number of graphs that enclose this one.
  public int depth() {
    return identity.depth();
  }

  public boolean isPersistent() {
    return identity.isPersistent();
  }

  public RunSettings options() {
    return identity.options();
  }

  /// Wraps work for another thread of the run.
  public Runnable carried(Runnable work) {
    return options().carried(NestingDepth.carried(depth(), work));
  }

  /// The task in which this graph runs, if it is a subgraph.
  public @Nullable ParentTask enclosing() {
    return identity.enclosing();
  }
}
