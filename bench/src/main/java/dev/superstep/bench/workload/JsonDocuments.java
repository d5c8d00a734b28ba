package dev.superstep.bench.workload;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;

import dev.superstep.bench.measure.Case;
import dev.superstep.bench.measure.Documents;
import dev.superstep.bench.measure.Recorder;
import dev.superstep.bench.measure.Span;
import dev.superstep.bench.measure.Workload;
import dev.superstep.graph.Graph;
import dev.superstep.json.Json;
import dev.superstep.node.Update;
import dev.superstep.run.Durability;
import dev.superstep.run.Input;
import dev.superstep.state.Channel;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// W13: a state of ten JSON documents with nested lists, of which a step replaces one, kept with
/// each durability.
final class JsonDocuments implements Workload {
  private static final Channel<Long, Long> N = Channel.latest("n", Long.class);
  private static final List<Channel<Json, Json>> CHANNELS =
      IntStream.range(0, Documents.CHANNELS)
          .mapToObj(i -> Channel.latest("document-" + i, Json.class))
          .toList();

  /// One way to run it.
  private record Way(String variant, String kind, Durability durability) {
    static List<Way> of(String kind) {
      if (kind.equals("none")) return List.of(new Way(kind, kind, Durability.SYNC));
      var ways = new ArrayList<Way>();
      for (var durability : Durability.values()) {
        ways.add(new Way(durability.name().toLowerCase(Locale.ROOT), kind, durability));
      }
      return ways;
    }
  }

  @Override
  public void measure(Case what, Recorder out) throws Exception {
    int steps = what.number(1);
    var documents = Documents.of(what.number(2), document -> Json.parse(document.json()));
    for (var way : Way.of(what.kind())) {
      what.warmUp(out, way.variant(), steps, () -> run(way, documents, steps, null));
      what.repeat(what.repetitions(), () -> run(way, documents, steps, out));
    }
  }

  private static void run(Way way, Documents<Json> documents, int steps, @Nullable Recorder out)
      throws Exception {
    var graph = graph(documents, steps);
    var input = Input.of(N, 0L);
    for (int i = 0; i < Documents.CHANNELS; i++) {
      input = input.and(CHANNELS.get(i), documents.inputs().get(i));
    }
    var begin = input;
    try (var kept = ThreadStorage.open(way.kind())) {
      var options = kept.options("documents").stepLimit(steps + 1).durability(way.durability());
      var last = new Json[1];
      var span =
          Span.of(
              () -> last[0] = Outcomes.state(graph.invoke(begin, options)).get(CHANNELS.get(0)));
      if (out == null) return;
      out.check(way.variant(), documents.last(steps), last[0]);
      out.add(way.variant(), "step", span, steps);
      if (kept.bytes() > 0) out.add(way.variant(), "disk_bytes", kept.bytes());
      if (kept.store().isEmpty()) return;
      var found = graph.state(options).orElseThrow().state().get(CHANNELS.get(0));
      out.check(way.variant(), documents.last(steps), found);
    }
  }

  private static Graph graph(Documents<Json> documents, long steps) {
    return Graph.named("documents")
        .channels(N)
        .channels(CHANNELS.toArray(Channel<?, ?>[]::new))
        .node(
            "step",
            (state, _) -> {
              int n = Math.toIntExact(state.get(N));
              var changed = CHANNELS.get(Documents.channel(n));
              return Update.of(N, n + 1L).and(changed, documents.change(n));
            })
        .edge(START, "step")
        .route("step", state -> state.get(N) < steps ? "step" : END, "step", END)
        .compile();
  }
}
