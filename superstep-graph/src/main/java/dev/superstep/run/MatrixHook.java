package dev.superstep.run;

import dev.superstep.checkpoint.Signal;
import java.util.List;
import java.util.Optional;

/// Learns from the signals of nodes that converge, and may choose in place of routers. No node of
/// the run sees the hook, and a graph runs the same without it as long as it chooses nothing.
///
/// The run calls it between two supersteps, on one thread and in task order, so that what it sees
/// does not depend on the concurrency: first with the signals of the superstep, then for choices.
/// Only the run's own graph is observed, not its subgraphs. A hook that throws or gives an unusable
/// answer never harms the run; an event `matrix.failed` reports it, and the graph's own router
/// decides.
///
/// One hook serves one run, and the resumptions of it. See `dev.superstep.matrix.Matrix`.
public interface MatrixHook {
  /// Called when a node has converged. If the run fails before the superstep is saved, and is
  /// resumed with the same hook, it is called again.
  void onConverge(String node, Signal signal);

  /// Called when the node `to`, which ran because `from` led to it, has converged with this
  /// quality. Comes after [#onConverge]; not for nodes that follow START by an edge, and not for
  /// joined ones.
  void recordTransition(String from, String to, double quality);

  /// Chooses what follows a node, or has no opinion; then the graph's own router is asked. Asked
  /// once for a router in a superstep, however many tasks of its node there were.
  Optional<List<String>> route(Junction junction);

  /// A mean of how well the latest results went, from 0 to 1.
  double cValue();

  /// The progress of the run towards its end, from 0 to 1.
  double completion();

  /// Returns whether further work would bring little.
  boolean isConverged();

  /// A router that is about to be asked. Immutable.
  ///
  /// @param router names it in its graph: its node, and `#2` after that for the node's second
  /// @param from its node, or START
  /// @param candidates the declared targets, in that order; END may be one
  /// @param single whether exactly one must be chosen; else any number
  /// @param step the superstep that has just been folded; 0 for the input
  record Junction(String router, String from, List<String> candidates, boolean single, int step) {
    public Junction {
      candidates = List.copyOf(candidates);
    }
  }
}
