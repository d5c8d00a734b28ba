package dev.superstep.bench.limit;

import dev.superstep.bench.measure.Caller;
import dev.superstep.bench.measure.Case;
import dev.superstep.bench.measure.Recorder;
import dev.superstep.bench.measure.Span;
import dev.superstep.bench.measure.Work;
import dev.superstep.bench.measure.Workload;
import java.util.Map;

/// W7: the same steps, which nobody can watch.
final class UnwatchedLimit implements Workload {
  private static final String VARIANT = "none";

  @Override
  public void measure(Case what, Recorder out) throws Exception {
    int steps = what.number(1);
    Steps.Node busy =
        state -> {
          long n = Steps.n(state);
          return Map.of("n", n + 1, "answer", Work.on(n));
        };
    var loop = Steps.loop(steps, what.kind().equals("busy") ? busy : Steps::count);
    var last = new long[1];
    Span.Body run = () -> last[0] = Steps.n(loop.run(Map.of("n", 0L), steps));
    what.warmUp(out, VARIANT, steps, () -> Caller.VTHREAD.run(run));
    for (int i = 0; i < what.repetitions(); i++) {
      out.add(VARIANT, "step", Span.of(() -> Caller.VTHREAD.run(run)), steps);
      out.check(VARIANT, (long) steps, last[0]);
    }
  }
}
