package dev.superstep.bench.workload;

import dev.superstep.bench.measure.Callers;
import dev.superstep.bench.measure.Case;
import dev.superstep.bench.measure.Recorder;
import dev.superstep.bench.measure.Workload;
import dev.superstep.graph.Graph;
import dev.superstep.run.Input;
import java.io.IOException;

/// W14: runs of ten supersteps on new threads, started by 1 to 64 platform threads.
final class ShortRuns implements Workload {
  private static final int STEPS = 10;

  @Override
  public void measure(Case what, Recorder out) throws Exception {
    var graph = Loop.graph(STEPS);
    Callers.measure(
        what, out, "run", STEPS, (kind, _) -> new Kept(graph, ThreadStorage.open(kind)));
  }

  private record Kept(Graph graph, ThreadStorage storage) implements Callers.Store {
    @Override
    public long run(int caller, String name) throws InterruptedException {
      return Outcomes.state(graph.invoke(Input.of(Loop.N, 0L), storage.options(name))).get(Loop.N);
    }

    @Override
    public void close() throws IOException {
      storage.close();
    }
  }
}
