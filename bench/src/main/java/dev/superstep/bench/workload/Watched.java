package dev.superstep.bench.workload;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;

import dev.superstep.bench.measure.Caller;
import dev.superstep.bench.measure.Case;
import dev.superstep.bench.measure.Recorder;
import dev.superstep.bench.measure.Span;
import dev.superstep.bench.measure.Work;
import dev.superstep.bench.measure.Workload;
import dev.superstep.event.EventFilter;
import dev.superstep.event.EventHub;
import dev.superstep.event.Subscription;
import dev.superstep.graph.Graph;
import dev.superstep.graph.RunOptions;
import dev.superstep.node.Update;
import dev.superstep.run.Input;
import dev.superstep.state.Channel;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// W7: a run that others watch through a hub. Nodes either only count (`idle`) or compute for some
/// time as well (`busy`).
final class Watched implements Workload {
  private static final Channel<Long, Long> N = Channel.latest("n", Long.class);
  private static final Channel<Long, Long> ANSWER = Channel.latest("answer", Long.class);

  /// Who watches.
  private enum Watchers {
    NONE("none", 0, 0),
    HUB_0("hub-0", 0, 0),
    HUB_1("hub-1", 1, 0),
    HUB_10("hub-10", 10, 0),
    SLOW_10("slow-10", 10, 2);

    private final String variant;
    private final int count;
    private final long millisPerEvent;

    Watchers(String variant, int count, long millisPerEvent) {
      this.variant = variant;
      this.count = count;
      this.millisPerEvent = millisPerEvent;
    }
  }

  @Override
  public void measure(Case what, Recorder out) throws Exception {
    int steps = what.number(1);
    var graph = graph(steps, what.kind().equals("busy"));
    for (var watchers : Watchers.values()) {
      what.warmUp(out, watchers.variant, steps, () -> run(graph, steps, watchers, null));
    }
    for (int i = 0; i < what.repetitions(); i++) {
      // Taken turn by turn, so that the slowdown is that of one moment.
      var spans = new EnumMap<Watchers, Span>(Watchers.class);
      for (var watchers : Watchers.values()) {
        spans.put(watchers, run(graph, steps, watchers, out));
      }
      double alone = Objects.requireNonNull(spans.get(Watchers.NONE)).micros();
      spans.forEach((watchers, span) -> {
        out.add(watchers.variant, "step", span, steps);
        out.add(watchers.variant, "slowdown", span.micros() / alone);
      });
    }
  }

  private static Span run(Graph graph, int steps, Watchers watchers, @Nullable Recorder out)
      throws Exception {
    var heard = new AtomicLong();
    var threads = new ArrayList<Thread>();
    var last = new long[1];
    Span span;
    try (var hub = new EventHub()) {
      var subscriptions = new ArrayList<Subscription>();
      for (int i = 0; i < watchers.count; i++) subscriptions.add(hub.subscribe(EventFilter.all()));
      for (var subscription : subscriptions) {
        threads.add(
            Thread.ofVirtual().start(() -> read(subscription, watchers.millisPerEvent, heard)));
      }
      var options = RunOptions.defaults().stepLimit(steps + 1);
      var watched = watchers == Watchers.NONE ? options : options.listener(hub);
      span =
          Span.of(() ->
              Caller.VTHREAD.run(
                  () -> last[0] = Outcomes.state(graph.invoke(Input.of(N, 0L), watched)).get(N)));
      if (watchers.millisPerEvent > 0) subscriptions.forEach(Subscription::close);
    }
    for (var thread : threads) thread.join();
    if (out == null) return span;
    out.check(watchers.variant, (long) steps, last[0]);
    out.check(watchers.variant, watchers.count > 0, heard.get() > 0);
    return span;
  }

  private static void read(Subscription events, long millis, AtomicLong heard) {
    try {
      for (var _ : events) {
        heard.incrementAndGet();
        if (millis > 0) Thread.sleep(millis);
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private static Graph graph(long steps, boolean busy) {
    return Graph.named("watched")
        .channels(N, ANSWER)
        .node(
            "step",
            (state, _) -> {
              long n = state.get(N);
              var counted = Update.of(N, n + 1);
              return busy ? counted.and(ANSWER, Work.on(n)) : counted;
            })
        .edge(START, "step")
        .route("step", state -> state.get(N) < steps ? "step" : END, "step", END)
        .compile();
  }
}
