package dev.superstep.bench.workload;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;

import dev.superstep.bench.measure.Case;
import dev.superstep.bench.measure.Document;
import dev.superstep.bench.measure.Recorder;
import dev.superstep.bench.measure.Span;
import dev.superstep.bench.measure.Workload;
import dev.superstep.graph.Graph;
import dev.superstep.node.Update;
import dev.superstep.run.Input;
import dev.superstep.state.Channel;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// W9: a state of 25 channels with some 5 KB of nested JSON each. A step either replaces one of
/// them (`one`) or only counts (`count`), which should cost nothing for what it does not touch.
final class WideState implements Workload {
  private static final int CHANNELS = 25;
  private static final Channel<Long, Long> N = Channel.latest("n", Long.class);
  private static final List<Channel<Document, Document>> DOCUMENTS =
      IntStream.range(0, CHANNELS)
          .mapToObj(i -> Channel.latest("document-" + i, Document.class))
          .toList();

  @Override
  public void measure(Case what, Recorder out) throws Exception {
    int steps = what.number(1);
    for (var variant : List.of("one", "count")) {
      what.warmUp(out, variant, steps, () -> run(what.kind(), steps, variant, null));
      for (int i = 0; i < what.repetitions(); i++) run(what.kind(), steps, variant, out);
    }
  }

  private static void run(String kind, int steps, String variant, @Nullable Recorder out)
      throws Exception {
    var graph = graph(steps, variant.equals("one"));
    var input = Input.of(N, 0L);
    for (int i = 0; i < CHANNELS; i++) input = input.and(DOCUMENTS.get(i), Document.of(i));
    var begin = input;
    try (var kept = ThreadStorage.open(kind)) {
      var options = kept.options("wide").stepLimit(steps + 1);
      var last = new Document[1];
      var span =
          Span.of(
              () -> last[0] = Outcomes.state(graph.invoke(begin, options)).get(DOCUMENTS.get(0)));
      if (out == null) return;
      out.check(variant, Document.of(first(steps, variant)), last[0]);
      out.add(variant, "step", span, steps);
      if (kept.bytes() > 0) out.add(variant, "disk_bytes", kept.bytes());
    }
  }

  /// The final value of the first channel: that of the last step that wrote it.
  private static long first(int steps, String variant) {
    return variant.equals("count") ? 0 : (steps - 1) / CHANNELS * CHANNELS;
  }

  private static Graph graph(long steps, boolean writes) {
    return Graph.named("wide")
        .channels(N)
        .channels(DOCUMENTS.toArray(Channel<?, ?>[]::new))
        .node(
            "step",
            (state, _) -> {
              long n = state.get(N);
              var counted = Update.of(N, n + 1);
              return writes
                  ? counted.and(DOCUMENTS.get((int) (n % CHANNELS)), Document.of(n))
                  : counted;
            })
        .edge(START, "step")
        .route("step", state -> state.get(N) < steps ? "step" : END, "step", END)
        .compile();
  }
}
