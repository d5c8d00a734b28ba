package dev.superstep.bench.limit;

import dev.superstep.bench.measure.Case;
import dev.superstep.bench.measure.Recorder;
import dev.superstep.bench.measure.Span;
import dev.superstep.bench.measure.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/// W11: ten functions from one record to the next, called in a row.
final class FlowStepsLimit implements Workload {
  private static final int STEPS = 10;

  private record Counted(int type, long n) {}

  @Override
  public void measure(Case what, Recorder out) throws Exception {
    int runs = what.number(1);
    var steps = steps();
    var sum = new long[1];
    Span.Body run =
        () -> {
          sum[0] = 0;
          for (int i = 0; i < runs; i++) {
            var at = new Counted(0, 0);
            for (var step : steps) at = step.apply(at);
            sum[0] += at.n();
          }
        };
    what.warmUp(out, "calls", STEPS * runs, run);
    what.repeat(
        what.repetitions(),
        () -> {
          out.add("calls", "step", Span.of(run), STEPS * runs);
          out.check("calls", (long) STEPS * runs, sum[0]);
        });
  }

  private static List<Function<Counted, Counted>> steps() {
    var steps = new ArrayList<Function<Counted, Counted>>();
    for (int i = 0; i < STEPS; i++) {
      int type = i + 1;
      steps.add(at -> new Counted(type, at.n() + 1));
    }
    return steps;
  }
}
