package dev.superstep.bench.peer;

import static com.alibaba.cloud.ai.graph.StateGraph.END;
import static com.alibaba.cloud.ai.graph.StateGraph.START;
import static com.alibaba.cloud.ai.graph.action.AsyncEdgeAction.edge_async;
import static com.alibaba.cloud.ai.graph.action.AsyncNodeAction.node_async;

import com.alibaba.cloud.ai.graph.CompileConfig;
import com.alibaba.cloud.ai.graph.CompiledGraph;
import com.alibaba.cloud.ai.graph.KeyStrategy;
import com.alibaba.cloud.ai.graph.KeyStrategyFactory;
import com.alibaba.cloud.ai.graph.OverAllState;
import com.alibaba.cloud.ai.graph.RunnableConfig;
import com.alibaba.cloud.ai.graph.StateGraph;
import com.alibaba.cloud.ai.graph.checkpoint.BaseCheckpointSaver;
import com.alibaba.cloud.ai.graph.checkpoint.config.SaverConfig;
import com.alibaba.cloud.ai.graph.checkpoint.savers.MemorySaver;
import com.alibaba.cloud.ai.graph.state.strategy.AppendStrategy;
import com.alibaba.cloud.ai.graph.state.strategy.ReplaceStrategy;
import dev.superstep.bench.measure.Case;
import dev.superstep.bench.measure.Child;
import dev.superstep.bench.measure.ColdStart;
import dev.superstep.bench.measure.Document;
import dev.superstep.bench.measure.Folder;
import dev.superstep.bench.measure.Heap;
import dev.superstep.bench.measure.Messages;
import dev.superstep.bench.measure.Parking;
import dev.superstep.bench.measure.ProgramStart;
import dev.superstep.bench.measure.Recorder;
import dev.superstep.bench.measure.Repetition;
import dev.superstep.bench.measure.Span;
import dev.superstep.bench.measure.Stamps;
import dev.superstep.bench.measure.Workload;
import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// The workloads as Spring AI Alibaba Graph does them, by its public interface and without a Spring
/// context. It has no dynamic fan-out: W2 has branches that are declared one by one. It has no
/// SQLite saver: see [SqliteSaver]. A run recurses once a step, so that long loops need a large
/// stack.
public final class SpringAiAlibabaChild {
  private static final int STEPS_MORE = 100;
  private static final int WARM_UP_STEPS = 150;
  private static final int DOCUMENTS = 25;

  private SpringAiAlibabaChild() {}

  public static void main(String[] arguments) throws Exception {
    Map<String, Workload> workloads = new HashMap<>();
    workloads.put("W1 loop", SpringAiAlibabaChild::loop);
    workloads.put("W1 chain", SpringAiAlibabaChild::chain);
    workloads.put("W2 sends", SpringAiAlibabaChild::fanOut);
    workloads.put("W4 runs", SpringAiAlibabaChild::concurrent);
    workloads.put("W6 program", new ProgramStart(Smallest.class.getName(), "result 2"));
    for (var program : List.of("one", "chain", "fanout", "memory", "sqlite")) {
      workloads.put("W15 " + program, new ColdStart(SmallPrograms.class.getName()));
    }
    for (var store : List.of("none", "memory", "sqlite")) {
      workloads.put("W3 " + store, SpringAiAlibabaChild::conversation);
      workloads.put("W5 " + store, SpringAiAlibabaChild::parked);
      workloads.put("W9 " + store, SpringAiAlibabaChild::wide);
      workloads.put("W13 " + store, KeptRuns::documents);
      workloads.put("W14 " + store, KeptRuns::shortRuns);
    }
    Child.run("spring-ai-alibaba", workloads, arguments);
    System.exit(0);
  }

  private static void loop(Case what, Recorder out) throws Exception {
    int steps = what.number(1);
    var graph = counting(steps, 0);
    new Repetition(what, out).measure("invoke", "step", steps, steps, () -> count(graph));
  }

  private static void chain(Case what, Recorder out) throws Exception {
    int nodes = what.number(1);
    int runs = what.number(2);
    var definition = new StateGraph(keys()).addEdge(START, "n0");
    for (int i = 0; i < nodes; i++) {
      definition.addNode("n" + i, node_async(state -> Map.of("n", n(state) + 1)));
      definition.addEdge("n" + i, i + 1 < nodes ? "n" + (i + 1) : END);
    }
    var graph = definition.compile(unkept(nodes));
    new Repetition(what, out)
        .measure(
            "invoke",
            "step",
            nodes * runs,
            nodes * runs,
            () -> {
              int sum = 0;
              for (int i = 0; i < runs; i++) sum += count(graph);
              return sum;
            });
  }

  private static void fanOut(Case what, Recorder out) throws Exception {
    int sends = what.number(1);
    var graph = branches(sends);
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var repetition = new Repetition(what, out);
      var inline = RunnableConfig.builder().build();
      var onThreads = RunnableConfig.builder().defaultParallelExecutor(threads).build();
      repetition.measure(
          "static-default-pool",
          "send",
          sends,
          sends,
          () -> items(graph, Map.of(), inline, "items"));
      repetition.measure(
          "static-vthread", "send", sends, sends, () -> items(graph, Map.of(), onThreads, "items"));
    }
  }

  static CompiledGraph branches(int count) throws Exception {
    var definition = new StateGraph(keys());
    definition.addNode("plan", node_async(_ -> Map.of()));
    definition.addNode("join", node_async(_ -> Map.of()));
    definition.addEdge(START, "plan");
    for (int i = 0; i < count; i++) {
      var item = "item-" + i;
      definition.addNode("task" + i, node_async(_ -> Map.of("items", List.of(item))));
      definition.addEdge("plan", "task" + i);
      definition.addEdge("task" + i, "join");
    }
    definition.addEdge("join", END);
    return definition.compile(unkept(count));
  }

  private static void conversation(Case what, Recorder out) throws Exception {
    int steps = what.number(1);
    what.warmUp(out, "invoke", WARM_UP_STEPS, () -> converse(what.kind(), WARM_UP_STEPS, Optional.empty()));
    converse(what.kind(), steps, Optional.of(out));
  }

  private static void converse(String kind, int steps, Optional<Recorder> recorder)
      throws Exception {
    var stamps = new Stamps(steps);
    try (var folder = Folder.fresh();
        var kept = Kept.open(kind, folder)) {
      var graph =
          new StateGraph(keys())
              .addNode(
                  "say", node_async(_ -> Map.of("messages", List.of(Messages.of(stamps.next())))))
              .addEdge(START, "say")
              .addConditionalEdges(
                  "say",
                  edge_async(state ->
                      state.<List<String>>value("messages").orElse(List.of()).size() < steps
                          ? "again"
                          : "stop"),
                  Map.of("again", "say", "stop", END))
              .compile(kept.config(steps));
      var thread = RunnableConfig.builder().threadId("conversation").build();
      var found = new int[1];
      var span = Span.of(() -> found[0] = items(graph, Map.of(), thread, "messages"));
      if (recorder.isEmpty()) return;
      var out = recorder.get();
      out.add("invoke", "wall_ms", span.micros() / 1_000);
      out.add("invoke", "step", span, steps);
      stamps.record(out, "invoke");
      if (folder.bytes() > 0) out.add("invoke", "disk_bytes", folder.bytes());
      out.check("invoke", steps, found[0]);
    }
  }

  private static void concurrent(Case what, Recorder out) throws Exception {
    int runs = what.number(1);
    int steps = what.number(2);
    var graph = counting(steps, what.number(3));
    what.warmUp(out, "vthread", 1, () -> atOnce(graph, runs));
    for (int i = 0; i < what.repetitions(); i++) {
      var sum = new int[1];
      var span = Span.of(() -> sum[0] = atOnce(graph, runs));
      out.check("vthread", runs * steps, sum[0]);
      out.add("vthread", "wall_ms", span.micros() / 1_000);
      out.add("vthread", "cpu_ms", span.cpuMicros() / 1_000);
    }
    out.add("vthread", "peak_bytes", Heap.peakBytes());
  }

  private static int atOnce(CompiledGraph graph, int runs) throws Exception {
    int sum = 0;
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var working = new ArrayList<Future<Integer>>();
      for (int i = 0; i < runs; i++) working.add(threads.submit(() -> count(graph)));
      for (var run : working) sum += run.get();
    }
    return sum;
  }

  private static void parked(Case what, Recorder out) throws Exception {
    Parking.measure(what, out, "invoke", Waiting::open);
  }

  private record Waiting(CompiledGraph graph, Kept kept, Folder folder)
      implements Parking.Threads {
    static Waiting open(String kind) throws Exception {
      var folder = Folder.fresh();
      var kept = Kept.open(kind, folder);
      var graph =
          new StateGraph(keys())
              .addNode("draft", node_async(state -> Map.of("n", n(state) + 1)))
              .addNode("ask", node_async(state -> Map.of("n", n(state) + 1)))
              .addEdge(START, "draft")
              .addEdge("draft", "ask")
              .addEdge("ask", END)
              .compile(kept.config(STEPS_MORE, "ask"));
      return new Waiting(graph, kept, folder);
    }

    @Override
    public void park(int number) throws Exception {
      graph.invoke(Map.of("n", 0, "about", "thing " + number), thread(number));
    }

    @Override
    public long resume(int number) throws Exception {
      var how = RunnableConfig.builder().threadId("thread-" + number).resume().build();
      return n(graph.invoke(Map.of(), how).orElseThrow());
    }

    @Override
    public long bytes() throws IOException {
      return folder.bytes();
    }

    @Override
    public void close() throws IOException, SQLException {
      kept.close();
      folder.close();
    }
  }

  private static RunnableConfig thread(int number) {
    return RunnableConfig.builder().threadId("thread-" + number).build();
  }

  /// Its values are plain maps and lists, since it stores what Java can serialize or JSON can hold.
  private static void wide(Case what, Recorder out) throws Exception {
    int steps = what.number(1);
    for (var variant : List.of("one", "count")) {
      what.warmUp(out, variant, steps, () -> widen(what.kind(), steps, variant, Optional.empty()));
      widen(what.kind(), steps, variant, Optional.of(out));
    }
  }

  private static void widen(String kind, int steps, String variant, Optional<Recorder> recorder)
      throws Exception {
    Map<String, Object> input = new HashMap<>();
    for (int i = 0; i < DOCUMENTS; i++) input.put("document-" + i, Document.of(i).asMaps());
    input.put("n", 0);
    try (var folder = Folder.fresh();
        var kept = Kept.open(kind, folder)) {
      var graph =
          new StateGraph(keys())
              .addNode("step", node_async(state -> written(n(state), variant)))
              .addEdge(START, "step")
              .addConditionalEdges(
                  "step",
                  edge_async(state -> n(state) < steps ? "again" : "stop"),
                  Map.of("again", "step", "stop", END))
              .compile(kept.config(steps));
      var last = new Object[1];
      var span =
          Span.of(() ->
              last[0] =
                  graph
                      .invoke(input, RunnableConfig.builder().threadId("wide").build())
                      .orElseThrow()
                      .value("document-0")
                      .orElseThrow());
      if (recorder.isEmpty()) return;
      var out = recorder.get();
      long first = variant.equals("count") ? 0 : (steps - 1) / DOCUMENTS * DOCUMENTS;
      out.check(variant, Document.of(first).asMaps(), last[0]);
      out.add(variant, "step", span, steps);
      if (folder.bytes() > 0) out.add(variant, "disk_bytes", folder.bytes());
    }
  }

  private static Map<String, Object> written(int n, String variant) {
    if (variant.equals("count")) return Map.of("n", n + 1);
    return Map.of("n", n + 1, "document-" + n % DOCUMENTS, Document.of(n).asMaps());
  }

  private static CompiledGraph counting(int steps, int millis) throws Exception {
    return new StateGraph(keys())
        .addNode(
            "count",
            node_async(state -> {
              if (millis > 0) Thread.sleep(millis);
              return Map.of("n", n(state) + 1);
            }))
        .addEdge(START, "count")
        .addConditionalEdges(
            "count",
            edge_async(state -> n(state) < steps ? "again" : "stop"),
            Map.of("again", "count", "stop", END))
        .compile(unkept(steps));
  }

  private static int count(CompiledGraph graph) throws Exception {
    return n(graph.invoke(Map.of("n", 0)).orElseThrow());
  }

  private static int items(
      CompiledGraph graph, Map<String, Object> input, RunnableConfig how, String name)
      throws Exception {
    return graph.invoke(input, how).orElseThrow().<List<String>>value(name).orElseThrow().size();
  }

  /// A saver in memory is there unless it is taken away.
  private static CompileConfig unkept(int steps) {
    return new Kept(Optional.empty()).config(steps);
  }

  static KeyStrategyFactory keys() {
    return () -> {
      Map<String, KeyStrategy> keys = new HashMap<>();
      keys.put("items", new AppendStrategy());
      keys.put("messages", new AppendStrategy());
      for (var name : List.of("n", "about")) keys.put(name, new ReplaceStrategy());
      for (int i = 0; i < DOCUMENTS; i++) keys.put("document-" + i, new ReplaceStrategy());
      return keys;
    };
  }

  static int n(OverAllState state) {
    return state.<Integer>value("n").orElse(0);
  }

  /// Where threads are kept, if they are.
  record Kept(Optional<BaseCheckpointSaver> saver) implements AutoCloseable {
    static Kept open(String kind, Folder folder) throws Exception {
      return switch (kind) {
        case "none" -> new Kept(Optional.empty());
        case "memory" -> new Kept(Optional.of(new MemorySaver()));
        case "sqlite" -> new Kept(Optional.of(SqliteSaver.open(folder)));
        default -> throw new IllegalArgumentException("there is no store `" + kind + "`");
      };
    }

    CompileConfig config(int steps, String... interruptBefore) {
      var savers = SaverConfig.builder();
      saver.ifPresent(savers::register);
      var config =
          CompileConfig.builder().recursionLimit(steps + STEPS_MORE).saverConfig(savers.build());
      if (interruptBefore.length > 0) config.interruptBefore(interruptBefore);
      return config.build();
    }

    @Override
    public void close() throws SQLException {
      if (saver.isPresent() && saver.get() instanceof SqliteSaver open) open.close();
    }
  }

  /// W6: the least program that runs a graph of two nodes.
  public static final class Smallest {
    private Smallest() {}

    public static void main(String[] arguments) throws Exception {
      var graph =
          new StateGraph(keys())
              .addNode("a", node_async(_ -> Map.of("n", 1)))
              .addNode("b", node_async(state -> Map.of("n", n(state) + 1)))
              .addEdge(START, "a")
              .addEdge("a", "b")
              .addEdge("b", END)
              .compile(unkept(2));
      System.out.println("result " + count(graph));
      System.exit(0);
    }
  }
}
