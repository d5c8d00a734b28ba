package dev.superstep.testkit;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;

import dev.superstep.graph.Graph;
import dev.superstep.graph.GraphBuilder;
import dev.superstep.graph.NodePolicy;
import dev.superstep.graph.Subgraph;
import dev.superstep.node.Command;
import dev.superstep.node.NodeContext;
import dev.superstep.node.OnFailure;
import dev.superstep.node.Send;
import dev.superstep.node.Target;
import dev.superstep.node.Update;
import dev.superstep.run.Input;
import dev.superstep.state.Channel;
import dev.superstep.state.State;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;

/// A random program whose nodes mostly say what they read and write: mostly plain edges, so that
/// much can begin ahead, with routers, commands, joins, sends and loops among them.
///
/// @param joins each of two sources and a target
record RandomDataflow(List<Part> parts, List<List<Integer>> joins) {
  enum Form {
    EDGES,
    MORE_EDGES,
    STILL_MORE_EDGES,
    INSIDE,
    ROUTE,
    COMMAND,
    SENDS,
    LOOP
  }

  /// A node and what follows it.
  ///
  /// @param reads the places of the channels that it looks at
  /// @param writes those that it writes
  /// @param declares whether it says so
  /// @param to later nodes, or the number of nodes for END
  record Part(
      Form form,
      Set<Integer> reads,
      Set<Integer> writes,
      boolean declares,
      boolean deferred,
      boolean fails,
      Set<Integer> to) {}

  private static final Channel<List<String>, String> LOG = Channel.append("log", String.class);
  private static final Channel<Long, Long> SUM = Channel.sum("sum");
  private static final Channel<Long, Long> LAST = Channel.latest("last", Long.class);
  private static final Channel<Long, Long> DIGEST =
      Channel.reduce("digest", Long.class, 7L, (a, b) -> a * 31 + b);
  private static final Channel<Map<String, Integer>, Map<String, Integer>> MARKS =
      Channel.merge("marks", Integer.class);
  private static final Channel<List<Long>, Long> TOPIC = Channel.topic("topic", Long.class);
  private static final Channel<Long, Long> LOOPS = Channel.sum("loops");
  private static final List<Channel<?, ?>> ALL =
      List.of(LOG, SUM, LAST, DIGEST, MARKS, TOPIC, LOOPS);
  private static final int FREE = ALL.size() - 1;

  static RandomDataflow draw(Choices choices) {
    int nodes = choices.between(2, 10);
    var parts = new ArrayList<Part>();
    for (int i = 0; i < nodes; i++) {
      int at = i;
      var to = new TreeSet<Integer>();
      to.add(choices.chance(60) ? Math.min(i + 2, nodes) : choices.between(i + 1, nodes));
      to.addAll(choices.list(1, c -> c.between(at + 1, nodes)));
      parts.add(
          new Part(
              choices.of(Form.values()),
              Set.copyOf(choices.list(3, c -> c.below(FREE))),
              Set.copyOf(choices.list(2, c -> c.below(FREE))),
              !choices.chance(10),
              choices.chance(5),
              choices.chance(10),
              to));
    }
    var joins = new ArrayList<List<Integer>>();
    if (nodes > 2 && choices.chance(40)) {
      int to = choices.between(2, nodes - 1);
      int b = choices.between(1, to - 1);
      joins.add(List.of(choices.below(b), b, to));
    }
    return new RandomDataflow(parts, joins);
  }

  Graph graph(Trouble trouble) {
    var graph = Graph.named("dataflow").channels(ALL.toArray(Channel<?, ?>[]::new));
    graph.questions(Trouble.Asks.ASK);
    for (int i = 0; i < parts.size(); i++) add(graph, i, trouble);
    for (var join : joins) {
      graph.join(List.of(name(join.get(0)), name(join.get(1))), name(join.get(2)));
    }
    var followed = new HashSet<Integer>();
    for (int i = 0; i < parts.size(); i++) {
      if (!followed.contains(i)) graph.edge(START, name(i));
      followed.addAll(parts.get(i).to());
    }
    return graph.compile();
  }

  private void add(GraphBuilder graph, int i, Trouble trouble) {
    var part = parts.get(i);
    var name = name(i);
    var targets = part.to().stream().map(this::name).toArray(String[]::new);
    node(graph, part, name, targets, trouble);
    declare(graph, part, name);
    if (part.deferred()) graph.deferred(name);
    if (part.form() == Form.COMMAND) graph.destinations(name, targets);
    else if (part.form() == Form.ROUTE) {
      graph.route(name, state -> targets[choice(view(ALL, state), targets)], targets);
    } else {
      for (var target : targets) graph.edge(name, target);
    }
    if (part.form() == Form.LOOP) {
      var back = name(i / 2);
      graph.route(name, state -> state.get(LOOPS) > 3 ? END : back, back, END);
    }
    if (part.form() != Form.SENDS) return;
    var item = Target.of(name + "-item", String.class);
    graph.node(item, (sent, state, context) -> work(part, sent, state, context, trouble));
    declare(graph, part, item.name());
    graph.fanOut(name, state -> sends(item, view(ALL, state)), item);
    graph.edge(item.name(), END);
  }

  private static void declare(GraphBuilder graph, Part part, String name) {
    if (!part.declares()) return;
    graph.reads(name, channels(part.reads()).toArray(Channel<?, ?>[]::new));
    graph.writes(name, channels(part.writes()).toArray(Channel<?, ?>[]::new));
    if (part.form() == Form.LOOP) graph.writes(name, LOOPS);
  }

  private static void node(
      GraphBuilder graph, Part part, String name, String[] targets, Trouble trouble) {
    if (part.form() == Form.INSIDE) {
      graph.node(
          name,
          Subgraph.<State>of(
              inside(trouble),
              state -> Input.of(SUM, view(channels(part.reads()), state)),
              end -> update(part, name, end.get(SUM))));
      return;
    }
    boolean fails = part.fails() && part.form() != Form.LOOP && part.form() != Form.COMMAND;
    var policy = NodePolicy.defaults();
    graph.node(
        name,
        (state, context) -> {
          var update = work(part, "", state, context, trouble);
          if (fails) throw new IllegalStateException("passed over");
          return switch (part.form()) {
            case COMMAND ->
                Command.to(targets[choice(view(channels(part.reads()), state), targets)])
                    .with(update);
            case LOOP -> update.and(LOOPS, 1L);
            default -> update;
          };
        },
        fails ? policy.onFailure(OnFailure.skip()) : policy);
  }

  /// Two branches, of which one may run ahead of the other.
  private static Graph inside(Trouble trouble) {
    var adds = new Part(Form.EDGES, Set.of(1), Set.of(1), true, false, false, Set.of());
    var logs = new Part(Form.EDGES, Set.of(0), Set.of(0), true, false, false, Set.of());
    var graph = Graph.named("inside").channels(LOG, SUM).questions(Trouble.Asks.ASK);
    for (var branch : List.of("a", "b")) {
      var part = branch.equals("a") ? adds : logs;
      var second = branch + 2;
      graph.node(branch, (state, context) -> work(part, "", state, context, trouble));
      graph.node(second, (state, context) -> work(part, "", state, context, trouble));
      declare(graph, part, branch);
      declare(graph, part, second);
      graph.edge(START, branch).edge(branch, second).edge(second, END);
    }
    return graph.compile();
  }

  private static Update work(
      Part part, String item, State state, NodeContext context, Trouble trouble) {
    trouble.before(context);
    for (int i = ThreadLocalRandom.current().nextInt(20); i > 0; i--) Thread.yield();
    var who = context.node() + "@" + context.step() + item + context.activation();
    var update = update(part, who, view(channels(part.reads()), state));
    trouble.after(context);
    return update;
  }

  private static Update update(Part part, String who, long seen) {
    var update = new Update(List.of());
    for (int place : new TreeSet<>(part.writes())) {
      update =
          switch (place) {
            case 0 -> update.and(LOG, who + " saw " + seen);
            case 1 -> update.and(SUM, seen % 7);
            case 2 -> update.and(LAST, seen);
            case 3 -> update.and(DIGEST, seen + who.hashCode());
            case 4 ->
                seen % 5 == 0
                    ? update.and(Update.overwrite(MARKS, Map.of("only", (int) seen)))
                    : update.and(MARKS, Map.of("m" + seen % 3, who.hashCode()));
            case 5 -> update.and(TOPIC, seen);
            default -> throw new IllegalStateException("no channel " + place);
          };
    }
    return update;
  }

  private static List<Channel<?, ?>> channels(Set<Integer> places) {
    return new TreeSet<>(places).stream().<Channel<?, ?>>map(ALL::get).toList();
  }

  /// A number that depends on these channels and their versions.
  private static long view(List<Channel<?, ?>> channels, State state) {
    long seen = 17;
    for (var channel : channels) {
      var value = state.find(channel).map(Object::hashCode).orElse(0);
      seen = seen * 31 + value + state.version(channel);
    }
    return Math.floorMod(seen, 1_000_003);
  }

  private static int choice(long seen, String[] targets) {
    return (int) (seen % targets.length);
  }

  private static List<Send<?>> sends(Target<String> target, long seen) {
    var sends = new ArrayList<Send<?>>();
    for (int i = 0; i < seen % 4; i++) sends.add(Send.to(target, "#" + i));
    return sends;
  }

  static String show(State state) {
    return ALL.stream()
        .map(c -> c.name() + " v" + state.version(c) + state.find(c).map(v -> "=" + v).orElse(""))
        .collect(Collectors.joining(", ", "{", "}"));
  }

  private String name(int index) {
    return index == parts.size() ? END : "n" + index;
  }
}
