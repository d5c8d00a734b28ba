package dev.superstep.testkit;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;

import dev.superstep.graph.Command;
import dev.superstep.graph.Graph;
import dev.superstep.graph.GraphBuilder;
import dev.superstep.graph.NodeContext;
import dev.superstep.graph.NodePolicy;
import dev.superstep.graph.Send;
import dev.superstep.graph.Target;
import dev.superstep.graph.Update;
import dev.superstep.state.Channel;
import dev.superstep.state.State;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;

/// A random program: nodes with edges to later ones, routes and fan-outs that depend on the state,
/// joins, and loops that end. What a node writes depends on all that it can see.
record RandomGraph(List<Part> parts, List<Join> joins) {
  enum Form {
    EDGES,
    ROUTE,
    SOME,
    FAN_OUT,
    LOOP,
    COMMAND
  }

  /// A node and what follows it.
  ///
  /// @param to later nodes, or the number of nodes for END
  record Part(Form form, Set<Integer> to, int width, boolean overwrites) {}

  record Join(int a, int b, int to) {}

  record Item(String id, String text) {}

  /// Something that happens to a task before or after its work.
  interface Trouble {
    void before(String task, int step);

    default void after(String task) {}
  }

  static final class OnPurpose extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  /// About half of all tasks fail the first time. Safe for many threads.
  static final class FailsOnce implements Trouble {
    private final Set<String> failed = ConcurrentHashMap.newKeySet();
    private final Map<String, Integer> finished = new ConcurrentHashMap<>();

    @Override
    public void before(String task, int step) {
      if (task.hashCode() % 2 == 0 && failed.add(task)) throw new OnPurpose();
    }

    @Override
    public void after(String task) {
      finished.merge(task, 1, Integer::sum);
    }

    Map<String, Integer> finished() {
      return finished;
    }
  }

  /// Each task fails up to three times in a row. Safe for many threads.
  static final class FailsSome implements Trouble {
    private final Map<String, Integer> runs = new ConcurrentHashMap<>();
    private final LongAdder failures = new LongAdder();

    @Override
    public void before(String task, int step) {
      if (runs.merge(task, 1, Integer::sum) > Math.floorMod(task.hashCode(), 4)) return;
      failures.increment();
      throw new OnPurpose();
    }

    long failures() {
      return failures.sum();
    }
  }

  private static final Channel<List<String>, String> LOG = Channel.append("log", String.class);
  private static final Channel<Long, Long> SUM = Channel.sum("sum");
  private static final Channel<Long, Long> LOOPS = Channel.sum("loops");
  private static final Channel<Long, Long> DIGEST =
      Channel.reduce("digest", Long.class, 7L, (a, b) -> a * 31 + b);
  private static final Channel<List<Item>, Item> ITEMS =
      Channel.byId("items", Item.class, Item::id, (item, id) -> new Item(id, item.text()));
  private static final Channel<Map<String, Integer>, Map<String, Integer>> MARKS =
      Channel.merge("marks", Integer.class);
  private static final Channel<Set<String>, String> SEEN = Channel.union("seen", String.class);
  private static final Channel<Long, Long> MOST = Channel.max("most", Long.class);
  private static final List<Channel<?, ?>> ALL =
      List.of(LOG, SUM, LOOPS, DIGEST, ITEMS, MARKS, SEEN, MOST);

  static RandomGraph draw(Choices choices) {
    int nodes = choices.between(1, 8);
    var parts = new ArrayList<Part>();
    for (int i = 0; i < nodes; i++) {
      int at = i;
      var to = new TreeSet<Integer>();
      to.add(choices.between(i + 1, nodes));
      to.addAll(choices.list(2, c -> c.between(at + 1, nodes)));
      var form = choices.of(Form.values());
      parts.add(new Part(form, to, choices.below(6), choices.below(40) == 39));
    }
    var joins = new LinkedHashSet<Join>();
    if (nodes > 2) {
      for (int many = choices.below(3); many > 0; many--) {
        int to = choices.between(2, nodes - 1);
        int b = choices.between(1, to - 1);
        joins.add(new Join(choices.below(b), b, to));
      }
    }
    return new RandomGraph(parts, List.copyOf(joins));
  }

  Graph graph(Trouble trouble, NodePolicy policy) {
    var graph = Graph.named("random").channels(ALL.toArray(Channel<?, ?>[]::new));
    graph.defaults(policy);
    for (int i = 0; i < parts.size(); i++) add(graph, i, trouble);
    for (var join : joins) graph.join(List.of(source(join.a()), source(join.b())), name(join.to()));
    var reached = new HashSet<Integer>();
    for (int i = 0; i < parts.size(); i++) {
      int at = i;
      boolean joined =
          joins.stream()
              .anyMatch(j -> j.to() == at && reached.contains(j.a()) && reached.contains(j.b()));
      boolean followed = false;
      for (int from : reached) followed |= parts.get(from).to().contains(at);
      if (!followed && !joined) graph.edge(START, name(i));
      reached.add(i);
    }
    return graph.compile();
  }

  private void add(GraphBuilder graph, int i, Trouble trouble) {
    var part = parts.get(i);
    var name = name(i);
    var targets = part.to().stream().map(this::name).toArray(String[]::new);
    if (part.form() == Form.COMMAND) {
      graph.node(
          name,
          (state, context) ->
              Command.to(targets[choice(state, targets.length)])
                  .with(work(part, "", state, context, trouble)));
      graph.destinations(name, targets);
      return;
    }
    graph.node(name, (state, context) -> work(part, "", state, context, trouble));
    switch (part.form()) {
      case EDGES -> {
        for (var target : targets) graph.edge(name, target);
      }
      case ROUTE, COMMAND ->
          graph.route(name, state -> targets[choice(state, targets.length)], targets);
      case SOME -> graph.routeMany(name, state -> some(state, targets), targets);
      case LOOP -> {
        var all = new ArrayList<>(List.of(targets));
        all.add(name(i / 2));
        graph.route(
            name,
            state -> all.get(state.get(LOOPS) > 3 ? 0 : choice(state, all.size())),
            all.toArray(String[]::new));
      }
      case FAN_OUT -> {
        var target = Target.of(name + "-item", String.class);
        graph.node(target, (item, state, context) -> work(part, item, state, context, trouble));
        graph.fanOut(name, state -> sends(target, choice(state, part.width() + 1)), target);
        for (var to : targets) graph.edge(target.name(), to);
      }
    }
  }

  private static Update work(
      Part part, String item, State state, NodeContext context, Trouble trouble) {
    trouble.before(context.task(), context.step());
    for (int i = ThreadLocalRandom.current().nextInt(6); i > 0; i--) Thread.yield();
    var who = context.node() + "@" + context.step() + item;
    long seen = view(state);
    int mark = Math.floorMod(who.hashCode(), 3);
    var update =
        Update.of(LOG, who + " saw " + seen)
            .and(SUM, seen % 7)
            .and(DIGEST, seen + who.hashCode())
            .and(ITEMS, new Item("i" + mark, who))
            .and(MARKS, Map.of("m" + mark, context.step()))
            .and(SEEN, "s" + seen % 11)
            .and(MOST, seen);
    if (part.form() == Form.LOOP) update = update.and(LOOPS, 1L);
    if (mark == 1) update = update.and(Update.remove(ITEMS, "i2"));
    if (part.overwrites() && item.isEmpty()) {
      update = update.and(Update.overwrite(MARKS, Map.of(who, 1)));
    }
    trouble.after(context.task());
    return update;
  }

  /// A number that depends on all channels and their versions.
  private static long view(State state) {
    long seen = 17;
    for (var channel : ALL) {
      var value = state.find(channel).map(Object::hashCode).orElse(0);
      seen = seen * 31 + value + state.version(channel);
    }
    return Math.floorMod(seen, 1_000_003);
  }

  private static int choice(State state, int options) {
    return (int) (view(state) % options);
  }

  private static List<String> some(State state, String[] targets) {
    var some = new ArrayList<String>();
    long seen = view(state);
    for (int i = 0; i < targets.length; i++) if ((seen >> i) % 3 != 0) some.add(targets[i]);
    return some;
  }

  private static List<Send<?>> sends(Target<String> target, int many) {
    var sends = new ArrayList<Send<?>>();
    for (int i = 0; i < many; i++) sends.add(Send.to(target, "#" + i % 3));
    return sends;
  }

  static String show(State state) {
    var shown = new TreeMap<String, String>();
    for (var channel : ALL) {
      shown.put(
          channel.name() + " v" + state.version(channel),
          state.find(channel).map(Object::toString).orElse("nothing"));
    }
    return shown.toString();
  }

  private String name(int index) {
    return index == parts.size() ? END : "n" + index;
  }

  /// Who arrives at a join: the items of a fan-out, not the node that sent them.
  private String source(int index) {
    return parts.get(index).form() == Form.FAN_OUT ? name(index) + "-item" : name(index);
  }
}
