package dev.superstep.store.jdbc;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static dev.superstep.store.jdbc.GrowthCase.Reach.RUNS;
import static dev.superstep.store.jdbc.GrowthCase.Reach.STORED_RUNS;

import dev.superstep.graph.Graph;
import dev.superstep.graph.GraphBuilder;
import dev.superstep.graph.Parallel;
import dev.superstep.graph.RunOptions;
import dev.superstep.graph.Subgraph;
import dev.superstep.json.Json;
import dev.superstep.node.Node;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Question;
import dev.superstep.node.Send;
import dev.superstep.node.Target;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Input;
import dev.superstep.state.Channel;
import dev.superstep.state.State;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/// Runs of graphs that have much of one thing.
final class GraphGrowth {
  private static final Channel<Long, Long> COUNT = Channel.sum("count");
  private static final Target<Long> EACH = Target.of("each", Long.class);
  private static final Question<String, String> WHAT =
      Question.of("what", String.class, String.class);

  private GraphGrowth() {}

  static List<GrowthCase> cases() {
    var cases = new ArrayList<GrowthCase>();
    cases.add(graph("nodes in a row", 1_024, 32_768, GraphGrowth::row));
    cases.add(graph("nodes side by side", 2_048, 16_384, GraphGrowth::wide));
    int[] early = {1_024, 8_192};
    cases.add(graph("nodes in a row, dataflow", early, RunOptions::dataflow, GraphGrowth::row));
    cases.add(graph("targets of a route", 2_048, 32_768, GraphGrowth::routed));
    cases.add(graph("tasks of held sends", 2_048, 16_384, n -> sends(n, false)));
    cases.add(graph("tasks of deferred sends", 1_024, 16_384, n -> sends(n, true)));
    cases.add(graph("rounds beside deferred sends", 1_024, 16_384, GraphGrowth::rounds));
    cases.add(graph("gates in a ring", 4_096, 8_192, GraphGrowth::ring));
    cases.add(graph("sources of a join in a row", 4_096, 16_384, n -> joined(n, true)));
    cases.add(graph("sources of a join side by side", 1_024, 16_384, n -> joined(n, false)));
    cases.add(graph("joins that wait at a time", 512, 8_192, GraphGrowth::joins));
    cases.add(graph("triggers in a row", 2_048, 16_384, GraphGrowth::triggers));
    cases.add(graph("items in parallel", 1_024, 16_384, GraphGrowth::parallel));
    cases.add(graph("steps of a task", 1_024, 16_384, GraphGrowth::steps));
    cases.add(new GrowthCase("nested graphs", RUNS, 24, 24, GraphGrowth::nested));
    cases.add(graph("subgraphs side by side", 512, 2_048, GraphGrowth::subgraphs));
    cases.add(new GrowthCase("questions", STORED_RUNS, 1_024, 16_384, GraphGrowth::questions));
    cases.add(new GrowthCase("answers", STORED_RUNS, 1_024, 16_384, GraphGrowth::answers));
    cases.addAll(channels());
    return cases;
  }

  private static List<GrowthCase> channels() {
    var map = Channel.merge("map", String.class);
    var set = Channel.union("set", String.class);
    var list = Channel.append("list", String.class);
    var byId = Channel.byId("by-id", Item.class, Item::id);
    return List.of(
        graph("channels written in turn", 2_048, 16_384, GraphGrowth::channelsInTurn),
        graph("channels written at once", 8_192, 16_384, GraphGrowth::channelsAtOnce),
        graph("items appended", 1_024, 32_768, n -> loop(n, list, i -> Update.of(list, "i" + i))),
        graph("keys merged", 1_024, 16_384, n -> loop(n, map, i -> put(map, i, i))),
        graph("keys merged again", 1_024, 16_384, n -> again(n, map, i -> put(map, i % n, i))),
        graph(
            "keys removed",
            1_024,
            16_384,
            n -> again(n, map, i -> i < n ? put(map, i, i) : Update.remove(map, "k" + i % n))),
        graph(
            "elements of a union", 1_024, 16_384, n -> loop(n, set, i -> Update.of(set, "e" + i))),
        graph("ids added", 1_024, 16_384, n -> loop(n, byId, i -> item(byId, i, i))),
        graph("ids replaced", 1_024, 16_384, n -> again(n, byId, i -> item(byId, i % n, i))),
        graph(
            "ids removed",
            1_024,
            16_384,
            n -> again(n, byId, i -> i < n ? item(byId, i, i) : Update.remove(byId, "k" + i % n))),
        graph("keys merged at once", 1_024, 16_384, n -> tasks(n, map, i -> put(map, i, i))));
  }

  private record Item(String id, String text) {}

  private static Update put(
      Channel<Map<String, String>, Map<String, String>> map, long key, long value) {
    return Update.of(map, Map.of("k" + key, "value " + value));
  }

  private static Update item(Channel<List<Item>, Item> byId, long key, long value) {
    return Update.of(byId, new Item("k" + key, "value " + value));
  }

  private interface Builds {
    Graph of(int size);
  }

  private static GrowthCase graph(String name, int small, int large, Builds builds) {
    return graph(name, new int[] {small, large}, options -> options, builds);
  }

  private static GrowthCase graph(
      String name, int[] sizes, UnaryOperator<RunOptions> how, Builds builds) {
    return new GrowthCase(
        name,
        RUNS,
        sizes[0],
        sizes[1],
        (place, n) -> {
          var graph = builds.of(n);
          var options = how.apply(place.options());
          return () -> GrowthCase.completed(graph.invoke(Input.none(), options));
        });
  }

  private static Update one() {
    return Update.of(COUNT, 1L);
  }

  private static GraphBuilder builder() {
    return Graph.named("growing").channels(COUNT);
  }

  private static Graph row(int nodes) {
    var builder = builder();
    for (int i = 0; i < nodes; i++) {
      builder.node("n" + i, (_, _) -> one()).edge(i == 0 ? START : "n" + (i - 1), "n" + i);
    }
    return builder.edge("n" + (nodes - 1), END).compile();
  }

  private static Graph wide(int nodes) {
    var builder = builder();
    for (int i = 0; i < nodes; i++) {
      builder.node("n" + i, (_, _) -> one()).edge(START, "n" + i).edge("n" + i, END);
    }
    return builder.compile();
  }

  private static Graph routed(int nodes) {
    var builder = builder().node("pick", (_, _) -> one()).edge(START, "pick");
    var names = IntStream.range(0, nodes).mapToObj(i -> "n" + i).toList();
    for (var name : names) builder.node(name, (_, _) -> one()).edge(name, END);
    return builder.routeMany("pick", _ -> names, names.toArray(String[]::new)).compile();
  }

  private static List<Send<?>> each(int many) {
    var sends = new ArrayList<Send<?>>();
    for (long i = 0; i < many; i++) sends.add(Send.to(EACH, i));
    return sends;
  }

  private static Graph sends(int many, boolean isDeferred) {
    var builder =
        builder()
            .node("fan", (_, _) -> one())
            .node(EACH, (_, _, _) -> one())
            .edge(START, "fan")
            .fanOut("fan", _ -> each(many), EACH)
            .edge("each", END);
    return (isDeferred ? builder.deferred("each") : builder).compile();
  }

  /// Holds a send more in each round, and runs all of them at the end.
  private static Graph rounds(int rounds) {
    return builder()
        .node("wait", (_, _) -> one())
        .node(EACH, (_, _, _) -> NodeResult.nothing())
        .edge(START, "wait")
        .fanOut("wait", _ -> each(1), EACH)
        .route("wait", s -> s.get(COUNT) < rounds ? "wait" : END, "wait", END)
        .deferred("each")
        .edge("each", END)
        .compile();
  }

  /// Gated nodes, each of which looks at what the one before it writes.
  private static Graph ring(int nodes) {
    var last =
        IntStream.range(0, nodes).mapToObj(i -> Channel.latest("c" + i, Long.class)).toList();
    var builder = builder();
    for (int i = 0; i < nodes; i++) {
      var mine = last.get(i);
      builder
          .channels(mine)
          .node("n" + i, (_, context) -> Update.of(mine, (long) context.step()).and(COUNT, 1L))
          .runWhenChanged("n" + i, last.get((i + nodes - 1) % nodes))
          .edge(i == 0 ? START : "n" + (i - 1), "n" + i);
    }
    var end = "n" + (nodes - 1);
    return builder.route(end, s -> s.get(COUNT) < 2 * nodes ? "n0" : END, "n0", END).compile();
  }

  private static Graph joined(int nodes, boolean isRow) {
    var builder = builder();
    var names = IntStream.range(0, nodes).mapToObj(i -> "n" + i).toList();
    for (int i = 0; i < nodes; i++) {
      builder
          .node("n" + i, (_, _) -> one())
          .edge(i == 0 || !isRow ? START : "n" + (i - 1), "n" + i);
    }
    return builder.node("end", (_, _) -> one()).join(names, "end").edge("end", END).compile();
  }

  /// Joins of a node in a row and of one at its end.
  private static Graph joins(int nodes) {
    var builder = builder();
    for (int i = 0; i < nodes; i++) {
      builder
          .node("n" + i, (_, _) -> one())
          .edge(i == 0 ? START : "n" + (i - 1), "n" + i)
          .node("end" + i, (_, _) -> one())
          .join(List.of("n" + i, "last"), "end" + i)
          .edge("end" + i, END);
    }
    return builder.node("last", (_, _) -> one()).edge("n" + (nodes - 1), "last").compile();
  }

  private static Graph triggers(int nodes) {
    var tokens =
        IntStream.range(0, nodes).mapToObj(i -> Channel.token("t" + i, Long.class)).toList();
    var builder = builder().node("begin", (_, _) -> Update.of(tokens.getFirst(), 0L));
    for (int i = 0; i < nodes; i++) {
      int next = i + 1;
      builder
          .channels(tokens.get(i))
          .node("n" + i, (_, _) -> next < nodes ? Update.of(tokens.get(next), 0L) : one())
          .trigger("n" + i, tokens.get(i));
    }
    return builder.edge(START, "begin").compile();
  }

  private static Graph node(Node node) {
    return builder().node("work", node).edge(START, "work").edge("work", END).compile();
  }

  private static Graph parallel(int items) {
    var all = IntStream.range(0, items).boxed().toList();
    return node((_, context) -> {
      Parallel.over(all).concurrency(4).failFast().map(context, Integer.class, (i, _) -> i);
      return one();
    });
  }

  private static Graph steps(int steps) {
    return node((_, context) -> {
      for (int i = 0; i < steps; i++) context.step("step " + i, Integer.class, () -> 1);
      return one();
    });
  }

  private static GrowthCase.Work nested(GrowthPlace place, int depth) throws Exception {
    var graph = nested(depth);
    // Stores the shape of each, which has those of all inside it.
    GrowthCase.completed(graph.invoke(Input.none(), place.options("before")));
    return () -> GrowthCase.completed(graph.invoke(Input.none(), place.options()));
  }

  private static Graph nested(int depth) {
    var graph = node((_, _) -> one());
    for (int i = 1; i < depth; i++) {
      var inner = graph;
      var sub = Subgraph.<State>of(inner, _ -> Input.none(), _ -> one());
      graph = builder().node("in" + i, sub).edge(START, "in" + i).edge("in" + i, END).compile();
    }
    return graph;
  }

  private static Graph subgraphs(int many) {
    var inner = node((_, _) -> one());
    var builder = builder();
    for (int i = 0; i < many; i++) {
      builder
          .node("n" + i, Subgraph.<State>of(inner, _ -> Input.none(), _ -> one()).remembering())
          .edge(START, "n" + i)
          .edge("n" + i, END);
    }
    return builder.compile();
  }

  private static Graph asking(int many) {
    return builder()
        .questions(WHAT)
        .node("fan", (_, _) -> NodeResult.nothing())
        .node(
            EACH,
            (n, _, context) -> {
              context.interrupt(WHAT, "question " + n);
              return one();
            })
        .edge(START, "fan")
        .fanOut("fan", _ -> each(many), EACH)
        .edge("each", END)
        .compile();
  }

  private static GrowthCase.Work questions(GrowthPlace place, int many) {
    var graph = asking(many);
    return () -> GrowthCase.asked(graph.invoke(Input.none(), place.options()));
  }

  private static GrowthCase.Work answers(GrowthPlace place, int many) throws Exception {
    var graph = asking(many);
    var answers = new LinkedHashMap<String, Json>();
    for (var open : GrowthCase.asked(graph.invoke(Input.none(), place.options())).questions()) {
      answers.put(open.id(), Json.of("yes"));
    }
    return () -> GrowthCase.completed(graph.resume(Answers.json(answers), place.options()));
  }

  // --- Channels ---

  private interface Writes {
    Update of(long number);
  }

  private static Graph loop(int steps, Channel<?, ?> channel, Writes writes) {
    return Graph.named("growing")
        .channels(COUNT, channel)
        .node("write", (s, _) -> writes.of(s.get(COUNT)).and(COUNT, 1L))
        .edge(START, "write")
        .route("write", s -> s.get(COUNT) < steps ? "write" : END, "write", END)
        .compile();
  }

  /// Makes as many keys at once, and then writes them one by one.
  private static Graph again(int steps, Channel<?, ?> channel, Writes writes) {
    return Graph.named("growing")
        .channels(COUNT, channel)
        .node("fill", (_, _) -> filled(steps, writes).and(COUNT, (long) steps))
        .node("write", (s, _) -> writes.of(s.get(COUNT) * 7 % steps + steps).and(COUNT, 1L))
        .edge(START, "fill")
        .edge("fill", "write")
        .route("write", s -> s.get(COUNT) < 2 * steps ? "write" : END, "write", END)
        .compile();
  }

  private static Update filled(int many, Writes writes) {
    var all = new ArrayList<dev.superstep.state.Write>();
    for (int i = 0; i < many; i++) all.addAll(writes.of(i).writes());
    return new Update(all);
  }

  private static Graph tasks(int many, Channel<?, ?> channel, Writes writes) {
    return Graph.named("growing")
        .channels(channel)
        .node("fan", (_, _) -> NodeResult.nothing())
        .node(EACH, (n, _, _) -> writes.of(n))
        .edge(START, "fan")
        .fanOut("fan", _ -> each(many), EACH)
        .edge("each", END)
        .compile();
  }

  private static List<Channel<Long, Long>> latest(int many) {
    return IntStream.range(0, many).mapToObj(i -> Channel.latest("c" + i, Long.class)).toList();
  }

  private static Graph channelsInTurn(int many) {
    var all = latest(many);
    return Graph.named("growing")
        .channels(all.toArray(Channel[]::new))
        .channels(COUNT)
        .node("write", (s, _) -> Update.of(all.get(s.get(COUNT).intValue()), 1L).and(COUNT, 1L))
        .edge(START, "write")
        .route("write", s -> s.get(COUNT) < many ? "write" : END, "write", END)
        .compile();
  }

  private static Graph channelsAtOnce(int many) {
    var all = latest(many);
    var update = new ArrayList<dev.superstep.state.Write>();
    for (var channel : all) update.addAll(Update.of(channel, 1L).writes());
    return Graph.named("growing")
        .channels(all.toArray(Channel[]::new))
        .node("write", (_, _) -> new Update(update))
        .edge(START, "write")
        .edge("write", END)
        .compile();
  }
}
