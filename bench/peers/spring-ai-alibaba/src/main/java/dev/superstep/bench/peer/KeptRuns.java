package dev.superstep.bench.peer;

import static com.alibaba.cloud.ai.graph.StateGraph.END;
import static com.alibaba.cloud.ai.graph.StateGraph.START;
import static com.alibaba.cloud.ai.graph.action.AsyncEdgeAction.edge_async;
import static com.alibaba.cloud.ai.graph.action.AsyncNodeAction.node_async;

import com.alibaba.cloud.ai.graph.CompiledGraph;
import com.alibaba.cloud.ai.graph.RunnableConfig;
import com.alibaba.cloud.ai.graph.StateGraph;
import dev.superstep.bench.measure.Callers;
import dev.superstep.bench.measure.Case;
import dev.superstep.bench.measure.Document;
import dev.superstep.bench.measure.Documents;
import dev.superstep.bench.measure.Folder;
import dev.superstep.bench.measure.Recorder;
import dev.superstep.bench.measure.Span;
import java.io.IOException;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;



/// W13 and W14: what is kept, large and small. There is one durability, which is that of `sync`.
final class KeptRuns {
  private static final int STEPS = 10;

  private KeptRuns() {}

  static void documents(Case what, Recorder out) throws Exception {
    int steps = what.number(1);
    var documents = Documents.of(what.number(2), Document::asMaps);
    what.warmUp(
        out, variant(what), steps, () -> documents(what, documents, steps, Optional.empty()));
    what.repeat(
        what.repetitions(), () -> documents(what, documents, steps, Optional.of(out)));
  }

  private static String variant(Case what) {
    return what.kind().equals("none") ? "none" : "sync";
  }

  private static void documents(
      Case what,
      Documents<Map<String, Object>> documents,
      int steps,
      Optional<Recorder> recorder)
      throws Exception {
    Map<String, Object> input = new HashMap<>();
    for (int i = 0; i < Documents.CHANNELS; i++) {
      input.put("document-" + i, documents.inputs().get(i));
    }
    input.put("n", 0);
    try (var folder = Folder.fresh();
        var kept = SpringAiAlibabaChild.Kept.open(what.kind(), folder)) {
      var graph =
          new StateGraph(SpringAiAlibabaChild.keys())
              .addNode(
                  "step",
                  node_async(state -> {
                    int n = SpringAiAlibabaChild.n(state);
                    return Map.of(
                        "n", n + 1, "document-" + Documents.channel(n), documents.change(n));
                  }))
              .addEdge(START, "step")
              .addConditionalEdges(
                  "step",
                  edge_async(state -> SpringAiAlibabaChild.n(state) < steps ? "again" : "stop"),
                  Map.of("again", "step", "stop", END))
              .compile(kept.config(steps));
      var last = new Object[1];
      var thread = RunnableConfig.builder().threadId("documents").build();
      var span =
          Span.of(
              () ->
                  last[0] =
                      graph.invoke(input, thread).orElseThrow().value("document-0").orElseThrow());
      if (recorder.isEmpty()) return;
      var out = recorder.get();
      out.check(variant(what), documents.last(steps), last[0]);
      out.add(variant(what), "step", span, steps);
      if (folder.bytes() > 0) out.add(variant(what), "disk_bytes", folder.bytes());
    }
  }

  static void shortRuns(Case what, Recorder out) throws Exception {
    Callers.measure(what, out, "invoke", STEPS, (kind, _) -> Short.open(kind));
  }

  private record Short(CompiledGraph graph, SpringAiAlibabaChild.Kept kept, Folder folder)
      implements Callers.Store {
    static Short open(String kind) throws Exception {
      var folder = Folder.fresh();
      var kept = SpringAiAlibabaChild.Kept.open(kind, folder);
      var graph =
          new StateGraph(SpringAiAlibabaChild.keys())
              .addNode("count", node_async(state -> Map.of("n", SpringAiAlibabaChild.n(state) + 1)))
              .addEdge(START, "count")
              .addConditionalEdges(
                  "count",
                  edge_async(state -> SpringAiAlibabaChild.n(state) < STEPS ? "again" : "stop"),
                  Map.of("again", "count", "stop", END))
              .compile(kept.config(STEPS));
      return new Short(graph, kept, folder);
    }

    @Override
    public long run(int caller, String name) throws Exception {
      var thread = RunnableConfig.builder().threadId(name).build();
      return SpringAiAlibabaChild.n(graph.invoke(Map.of("n", 0), thread).orElseThrow());
    }

    @Override
    public void close() throws IOException, SQLException {
      kept.close();
      folder.close();
    }
  }
}
