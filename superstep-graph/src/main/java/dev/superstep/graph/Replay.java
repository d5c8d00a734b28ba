package dev.superstep.graph;

import dev.superstep.checkpoint.Checkpoint;
import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.error.ThreadError;
import dev.superstep.graph.internal.kernel.CompiledGraph;
import dev.superstep.graph.internal.persistence.CheckpointHistory;
import dev.superstep.graph.internal.replay.ReplayFindings;
import dev.superstep.graph.internal.replay.ReplayRun;
import dev.superstep.node.ContextKey;
import dev.superstep.run.ReplayResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Runs the recorded supersteps of a thread again, in memory, and reports the first difference:
/// because a node, a router or a reducer was changed, or because a node depends on something that
/// is not recorded.
///
/// ```java
/// var replayed = Replay.of(graph, store).thread("t-42").run();
/// ```
///
/// Each superstep starts from its stored checkpoint, so that one difference does not cause others.
/// Everything outside is replaced by its record: the results of steps, the answers of people, the
/// choices of a matrix, and in a [RunOptions#recorded] run the times that nodes read. No effect of
/// a step is executed, and nothing is written. A node's effects outside of steps cannot be seen,
/// and happen again.
///
/// Immutable.
public final class Replay {
  private final CompiledGraph graph;
  private final RunOptions options;
  private final Optional<String> from;
  private final Optional<String> to;

  private Replay(
      CompiledGraph graph, RunOptions options, Optional<String> from, Optional<String> to) {
    this.graph = graph;
    this.options = options;
    this.from = from;
    this.to = to;
  }

  /// Begins a replay, whose thread is still to be selected.
  public static Unaimed of(Graph graph, Checkpointer store) {
    return thread ->
        new Replay(
            graph.compiled(),
            RunOptions.thread(thread).checkpoints(store),
            Optional.empty(),
            Optional.empty());
  }

  /// A replay without a thread.
  @FunctionalInterface
  public interface Unaimed {
    /// Selects the thread to replay, with everything that is stored of it.
    Replay thread(String name);
  }

  /// Returns a copy that begins with the state of this checkpoint.
  public Replay from(String checkpoint) {
    return new Replay(graph, options, Optional.of(checkpoint), to);
  }

  /// Returns a copy that ends with the superstep that led to this checkpoint.
  public Replay to(String checkpoint) {
    return new Replay(graph, options, from, Optional.of(checkpoint));
  }

  /// Returns a copy with a value that the run's caller had given to the nodes, and that is not
  /// stored.
  public <T> Replay with(ContextKey<T> key, T value) {
    return new Replay(graph, options.with(key, value), from, to);
  }

  /// Returns a copy with the step limit that the run had; 50 unless set. Nodes see it.
  public Replay stepLimit(int steps) {
    return new Replay(graph, options.stepLimit(steps), from, to);
  }

  /// Runs the supersteps again, until one differs.
  ///
  /// @throws ThreadError if the thread or one of the checkpoints is unknown
  /// @throws InterruptedException if the calling thread is interrupted
  public ReplayResult run() throws InterruptedException {
    var history = history();
    var findings = new ReplayFindings();
    var rerun =
        new ReplayRun(
            graph, Lineage.of(options.thread().orElseThrow()), options.settings(), findings);
    for (var channel : graph.index().declared()) {
      if (!channel.isTracked()) {
        findings.uncompared("channel `" + channel.name() + "`, which is never stored");
      }
    }
    var first = history.getFirst();
    if (from.isEmpty() && first.source() == Checkpoint.Source.LOOP) rerun.unfounded(first);
    int limit = 0;
    for (int i = 1; i < history.size() && !findings.isDiverged(); i++) {
      if (Thread.interrupted()) throw new InterruptedException("the replay was cancelled");
      var before = history.get(i - 1);
      var after = history.get(i);
      if (i == 1 || !before.run().equals(after.run())) limit = limit(before, after);
      if (after.source() != Checkpoint.Source.LOOP) continue;
      rerun.outer(before, after, limit);
    }
    return findings.result();
  }

  /// The last superstep that the run which wrote the second one could take.
  private int limit(Checkpoint before, Checkpoint after) {
    boolean isInput = after.source() == Checkpoint.Source.INPUT;
    int first = isInput ? after.step() : before.step();
    return Math.addExact(first, options.settings().stepLimit(graph.stepLimit(), false));
  }

  /// The checkpoints, each made from the one before it.
  private List<Checkpoint> history() {
    var store = options.checkpointer().orElseThrow();
    var lineage = Lineage.of(options.thread().orElseThrow());
    var kept = new CheckpointHistory(store, lineage);
    var last = to.map(kept::find).orElseGet(kept::newest);
    if (last == null) throw unknown(to);
    var history = new ArrayList<Checkpoint>();
    for (@Nullable Checkpoint next = last; next != null; next = kept.parent(next)) {
      history.add(next);
      if (from.isPresent() && from.get().equals(next.id())) return history.reversed();
    }
    if (from.isPresent()) throw unknown(from);
    return history.reversed();
  }

  private ThreadError unknown(Optional<String> checkpoint) {
    return new ThreadError(
        options.thread().orElseThrow(),
        ThreadError.Reason.UNKNOWN,
        checkpoint
            .map(id -> "has no checkpoint `" + id + "` on its way. Look at its history.")
            .orElse("is unknown here. Check its name and the store."));
  }

  @Override
  public String toString() {
    return "Replay[" + graph.name() + "]";
  }
}
