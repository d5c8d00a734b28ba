package dev.superstep.graph;

import dev.superstep.checkpoint.Checkpoint;
import dev.superstep.graph.internal.run.SubgraphHistory;
import dev.superstep.run.StateUpdate;
import dev.superstep.run.ThreadState;
import java.util.List;
import java.util.Optional;

/// The part of a saved thread that belongs to the subgraph of one task: its own checkpoints, and
/// changes of them. After a change, [Graph#resume] continues the thread: the task goes on from the
/// changed state of its subgraph, and the graph around from its new result. Immutable, safe for
/// many threads.
///
/// ```java
/// var state = graph.state(options).orElseThrow();
/// var child = graph.subgraph(state.checkpoint(), "research", options);
/// var older = child.history(Optional.empty(), 10).get(3);
/// child.rewind(older.id()).update(StateUpdate.as("plan", Update.of(PLAN, "shorter")));
/// graph.resume(Answers.none(), options);
/// ```
public final class SubgraphThread {
  private final SubgraphHistory history;

  SubgraphThread(SubgraphHistory history) {
    this.history = history;
  }

  /// Returns the state of the subgraph where the task has come to, or empty if nothing of it is
  /// stored.
  public Optional<ThreadState> state() {
    return history.state();
  }

  /// Returns the state of the subgraph at one of its checkpoints, or empty if there is no such
  /// checkpoint.
  public Optional<ThreadState> state(String checkpoint) {
    return history.state(checkpoint);
  }

  /// The checkpoints of the subgraph, newest first; of one that remembers, also those of other
  /// tasks that share the memory. Costs O(limit).
  ///
  /// @param before the id of the last one seen, or empty to begin with the newest
  public List<Checkpoint> history(Optional<String> before, int limit) {
    return history.page(before, limit);
  }

  /// Changes the newest state of the subgraph, as [Graph#update] does that of a graph. The task
  /// continues from there, whatever it waited for; what its siblings have done stays.
  ///
  /// @return the state of the subgraph afterwards
  /// @throws dev.superstep.error.ThreadError if the task has finished, or the graph around has gone
  ///   on; [#rewind] first
  /// @throws dev.superstep.error.InvalidStateUpdate if an update names no node of the subgraph
  /// @throws dev.superstep.checkpoint.ThreadBusy if a run is at work on the thread
  public ThreadState update(StateUpdate... edits) {
    return history.update(List.of(edits));
  }

  /// Takes the thread back so that the task continues from a checkpoint of its subgraph. If the
  /// task has not finished, only the subgraph is taken back, and what siblings have done stays.
  /// Otherwise the graphs around are taken back, too, to where the task was due: it is due again,
  /// as a new task, and so are its siblings, which run again. The history stays.
  ///
  /// @return the same subgraph where it is now
  /// @throws dev.superstep.error.ThreadError if the task has no such checkpoint
  /// @throws dev.superstep.checkpoint.ThreadBusy if a run is at work on the thread
  public SubgraphThread rewind(String checkpoint) {
    return new SubgraphThread(history.rewind(checkpoint));
  }

  /// The subgraph of a task of this subgraph.
  ///
  /// @param checkpoint of this subgraph, from which the task runs
  /// @param task its name, as in [ThreadState.DueTask]
  public SubgraphThread subgraph(String checkpoint, String task) {
    return new SubgraphThread(history.inside(new SubgraphHistory.Place(checkpoint, task)));
  }
}
