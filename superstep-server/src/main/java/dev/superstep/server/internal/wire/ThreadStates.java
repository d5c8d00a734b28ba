package dev.superstep.server.internal.wire;

import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.graph.SubgraphThread;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/// The states of threads of one graph, as clients see them. Immutable.
///
/// LangGraph saves two checkpoints of an input and the engine one; so the one is shown as two, of
/// which the older has no content of its own.
public final class ThreadStates {
  private final GraphWire wire;
  private final Checkpointer store;

  public ThreadStates(GraphWire wire, Checkpointer store) {
    this.wire = wire;
    this.store = store;
  }

  /// A checkpoint that a client named, as the engine knows it.
  ///
  /// @param inside the graph inside the thread that it belongs to; absent if it is the thread's own
  /// @param checkpoint its id, or that of the input before which it is
  /// @param isBeforeInput whether the state before an input is meant
  /// @param rewindTo the checkpoint to go back to: itself, or the one before the input; absent if
  ///   that is the empty thread
  public record Place(
      Optional<SubgraphThread> inside,
      String checkpoint,
      boolean isBeforeInput,
      Optional<String> rewindTo) {}

  /// The newest state; of a thread without checkpoints an empty one.
  public ObjectNode latest(String thread, boolean subgraphs) {
    throw new UnsupportedOperationException("not built yet");
  }

  /// The state at a checkpoint, or empty if there is no such checkpoint.
  public Optional<ObjectNode> at(String thread, CheckpointRef ref, boolean subgraphs) {
    throw new UnsupportedOperationException("not built yet");
  }

  /// The states of the past, newest first.
  public List<ObjectNode> history(String thread, HistoryQuery query) {
    throw new UnsupportedOperationException("not built yet");
  }

  /// Finds the checkpoint that a client means, or empty if there is none.
  public Optional<Place> resolve(String thread, CheckpointRef ref) {
    throw new UnsupportedOperationException("not built yet");
  }
}
