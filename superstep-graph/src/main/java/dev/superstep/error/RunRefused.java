package dev.superstep.error;

import dev.superstep.json.SuperstepException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A run was not begun because its drain was started. Nothing of it was stored, neither its input
/// nor its answers.
public final class RunRefused extends SuperstepException {
  private final String graph;
  private final @Nullable String thread;

  public RunRefused(String graph, Optional<String> thread) {
    super(
        "graph.run-refused",
        "Graph `"
            + graph
            + "` was not run"
            + thread.map(name -> " on thread `" + name + "`").orElse("")
            + ": the drain of its runs was started. Run it in another process, or after"
            + " Drain.stop().");
    this.graph = graph;
    this.thread = thread.orElse(null);
  }

  /// The name of the graph.
  public String graph() {
    return graph;
  }

  /// The thread that the run would have been on, if any.
  public Optional<String> thread() {
    return Optional.ofNullable(thread);
  }
}
