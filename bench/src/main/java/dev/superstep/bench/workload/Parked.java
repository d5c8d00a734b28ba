package dev.superstep.bench.workload;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;

import dev.superstep.bench.measure.Case;
import dev.superstep.bench.measure.Heap;
import dev.superstep.bench.measure.Recorder;
import dev.superstep.bench.measure.Span;
import dev.superstep.bench.measure.Workload;
import dev.superstep.graph.Graph;
import dev.superstep.node.Question;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Input;
import dev.superstep.state.Channel;
import org.jspecify.annotations.Nullable;

/// W5: threads that wait for an answer, and go on when it is given.
final class Parked implements Workload {
  private static final Channel<Long, Long> N = Channel.latest("n", Long.class);
  private static final Channel<String, String> ABOUT = Channel.latest("about", String.class);
  private static final Question<String, Long> MORE = Question.of("more", String.class, Long.class);
  private static final String VARIANT = "platform";
  private static final int WARM_UP_THREADS = 300;

  @Override
  public void measure(Case what, Recorder out) throws Exception {
    what.warmUp(out, VARIANT, WARM_UP_THREADS, () -> run(what.kind(), WARM_UP_THREADS, null));
    run(what.kind(), what.number(1), out);
  }

  private static void run(String kind, int threads, @Nullable Recorder out) throws Exception {
    var graph = graph();
    try (var kept = ThreadStorage.open(kind)) {
      long before = out == null ? 0 : Heap.used();
      var park =
          Span.of(() -> {
            for (int i = 0; i < threads; i++) {
              var input = Input.of(N, 0L).and(ABOUT, "thing " + i);
              Outcomes.questions(graph.invoke(input, kept.options("thread-" + i)));
            }
          });
      long after = out == null ? 0 : Heap.used();
      var sum = new long[1];
      var resume =
          Span.of(() -> {
            for (int i = 0; i < threads; i++) {
              var answer = Answers.to(MORE, 1L);
              var state = Outcomes.state(graph.resume(answer, kept.options("thread-" + i)));
              if (state.get(ABOUT).equals("thing " + i)) sum[0] += state.get(N);
            }
          });
      if (out == null) return;
      out.check(VARIANT, 2L * threads, sum[0]);
      out.add(VARIANT, "park", park, threads);
      out.add(VARIANT, "resume", resume, threads);
      if (kind.equals("memory")) {
        out.add(VARIANT, "heap_bytes_per_thread", (double) (after - before) / threads);
      }
      if (kept.bytes() > 0) out.add(VARIANT, "disk_bytes", kept.bytes());
    }
  }

  private static Graph graph() {
    return Graph.named("parked")
        .channels(N, ABOUT)
        .questions(MORE)
        .node("draft", (state, _) -> Update.of(N, state.get(N) + 1))
        .node(
            "ask",
            (state, context) ->
                Update.of(N, state.get(N) + context.interrupt(MORE, state.get(ABOUT))))
        .edge(START, "draft")
        .edge("draft", "ask")
        .edge("ask", END)
        .compile();
  }
}
