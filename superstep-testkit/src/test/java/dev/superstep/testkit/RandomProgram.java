package dev.superstep.testkit;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;

import dev.superstep.graph.Graph;
import dev.superstep.graph.GraphBuilder;
import dev.superstep.graph.NodePolicy;
import dev.superstep.graph.Subgraph;
import dev.superstep.node.Command;
import dev.superstep.node.Failure;
import dev.superstep.node.JoinPolicy;
import dev.superstep.node.NodeContext;
import dev.superstep.node.OnFailure;
import dev.superstep.node.Send;
import dev.superstep.node.Target;
import dev.superstep.node.Update;
import dev.superstep.run.Input;
import dev.superstep.state.Channel;
import dev.superstep.state.State;
import dev.superstep.testkit.RandomGraph.Fault;
import dev.superstep.testkit.RandomGraph.Part;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;

/// Makes a graph of a [RandomGraph]. What a node writes depends on all that it can see.
final class RandomProgram {
  record Item(String id, String text) {}

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
  private static final Channel<List<Long>, Long> NEWS = Channel.topic("news", Long.class);
  private static final Channel<String, String> HINT = Channel.ephemeral("hint", String.class);
  private static final Channel<Long, Long> TEXT =
      Channel.delta("text", Long.class, Long.class, 7L, (a, b) -> b % 3 == 0 ? a : a * 31 + b)
          .snapshotEvery(5);
  private static final Channel<Long, Long> TOKEN = Channel.token("token", Long.class);
  private static final Channel<List<Long>, Long> PARTS = Channel.gather("parts", Long.class, 3);
  private static final Channel<Set<String>, String> ROUND =
      Channel.barrier("round", Set.of("0", "1", "2"));
  private static final List<Channel<?, ?>> ALL =
      List.of(
          LOG, SUM, LOOPS, DIGEST, ITEMS, MARKS, SEEN, MOST, NEWS, HINT, TEXT, TOKEN, PARTS, ROUND);
  private static final Target<Failure> REPAIR = Target.of("repair", Failure.class);

  private final RandomGraph shape;
  private final Trouble trouble;
  private final NodePolicy policy;

  RandomProgram(RandomGraph shape, Trouble trouble, NodePolicy policy) {
    this.shape = shape;
    this.trouble = trouble;
    this.policy = policy;
  }

  Graph graph() {
    var graph = Graph.named("random").channels(ALL.toArray(Channel<?, ?>[]::new));
    graph.questions(Trouble.Asks.ASK).defaults(policy);
    for (int i = 0; i < shape.parts().size(); i++) add(graph, i);
    if (shape.parts().stream().anyMatch(p -> p.fault() == Fault.ROUTE)) {
      graph.node(
          REPAIR,
          (failure, state, context) -> {
            trouble.before(context);
            trouble.after(context);
            return Update.of(LOG, "repaired " + failure.node() + " at " + view(state));
          });
      graph.edge(REPAIR.name(), END);
    }
    for (var join : shape.joins()) {
      var from = join.from().stream().map(this::source).toList();
      graph.join(JoinPolicy.atLeast(join.needs()), from, name(join.to()));
    }
    start(graph);
    triggers(graph);
    return graph.compile();
  }

  private void triggers(GraphBuilder graph) {
    taker(graph, "takes-token", TOKEN);
    // Most runs would leave half a round, and be stuck.
    if (shape.parts().getFirst().width() < 5) return;
    taker(graph, "takes-parts", PARTS);
    taker(graph, "takes-round", ROUND);
  }

  private void taker(GraphBuilder graph, String name, Channel<?, ?> token) {
    graph.node(
        name,
        (state, context) -> {
          trouble.before(context);
          var update = Update.of(LOG, name + " saw " + view(state)).and(TEXT, view(state));
          trouble.after(context);
          return update;
        });
    graph.trigger(name, token);
  }

  private void start(GraphBuilder graph) {
    var reached = new HashSet<Integer>();
    for (int i = 0; i < shape.parts().size(); i++) {
      int at = i;
      boolean joined =
          shape.joins().stream().anyMatch(j -> j.to() == at && reached.containsAll(j.from()));
      boolean followed = false;
      for (int from : reached) followed |= shape.parts().get(from).to().contains(at);
      if (!followed && !joined) graph.edge(START, name(i));
      reached.add(i);
    }
  }

  private void add(GraphBuilder graph, int i) {
    var part = shape.parts().get(i);
    var name = name(i);
    var targets = part.to().stream().map(this::name).toArray(String[]::new);
    node(graph, part, name, targets);
    switch (part.timing()) {
      case PLAIN -> {}
      case DEFERRED -> graph.deferred(source(i));
      case GATED -> graph.runWhenChanged(name, SEEN);
    }
    switch (part.form()) {
      case EDGES -> {
        for (var target : targets) graph.edge(name, target);
      }
      case ROUTE -> graph.route(name, state -> targets[choice(state, targets.length)], targets);
      case COMMAND -> graph.destinations(name, targets);
      case ADDED -> graph.edge(name, targets[0]).additiveDestinations(name, targets);
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
        item(graph, part, target);
        graph.fanOut(name, state -> sends(target, choice(state, part.width() + 1)), target);
        for (var to : targets) graph.edge(target.name(), to);
      }
    }
  }

  private void node(GraphBuilder graph, Part part, String name, String[] targets) {
    if (part.inside().isPresent() && part.form() != RandomGraph.Form.FAN_OUT) {
      var inside = inside(part.inside().get());
      graph.node(
          name, Subgraph.<State>of(inside, RandomProgram::given, end -> gave(part, name, end)));
    } else if (part.form() == RandomGraph.Form.COMMAND) {
      graph.node(
          name,
          (state, context) ->
              Command.to(targets[choice(state, targets.length)])
                  .with(work(part, "", state, context)),
          handled(part));
    } else if (part.form() == RandomGraph.Form.ADDED) {
      graph.node(
          name,
          (state, context) -> {
            var update = work(part, "", state, context);
            int choice = choice(state, targets.length + 1);
            return choice == 0 ? update : Command.to(targets[choice - 1]).with(update);
          },
          handled(part));
    } else {
      graph.node(name, (state, context) -> work(part, "", state, context), handled(part));
    }
  }

  private void item(GraphBuilder graph, Part part, Target<String> target) {
    if (part.inside().isEmpty()) {
      graph.node(target, (item, state, context) -> work(part, item, state, context), handled(part));
      return;
    }
    graph.node(
        target,
        Subgraph.<String>of(
            inside(part.inside().get()),
            item -> Input.of(LOG, "sent " + item),
            end -> gave(part, target.name(), end)));
  }

  private Graph inside(RandomGraph inside) {
    return new RandomProgram(inside, trouble, policy).graph();
  }

  private static Input given(State outer) {
    return Input.of(LOG, "given " + view(outer));
  }

  private static Update gave(Part part, String node, State end) {
    var update = Update.of(LOG, node + " gave " + view(end)).and(SUM, view(end) % 5);
    return part.form() == RandomGraph.Form.LOOP ? update.and(LOOPS, 1L) : update;
  }

  /// Nothing of its own unless it fails on purpose: then no other trouble is handled by this.
  private NodePolicy handled(Part part) {
    var none = NodePolicy.defaults();
    return switch (part.fault()) {
      case NONE -> none;
      case SKIP -> none.onFailure(OnFailure.skip());
      case FALLBACK -> none.onFailure(OnFailure.fallback(Update.of(LOG, "instead")));
      case ROUTE -> none.onFailure(OnFailure.route(REPAIR));
    };
  }

  private Update work(Part part, String item, State state, NodeContext context) {
    long seen = view(state);
    boolean handled = part.fault() != Fault.NONE;
    // What is handled would not be tried again.
    if (!handled || trouble instanceof Trouble.Asks) trouble.before(context);
    for (int i = ThreadLocalRandom.current().nextInt(6); i > 0; i--) Thread.yield();
    boolean ends = part.form() == RandomGraph.Form.LOOP;
    if (handled && !ends && seen % 3 == 0) throw new IllegalStateException("seen " + seen);
    var update = update(part, item, seen, context);
    trouble.after(context);
    return update;
  }

  private static Update update(Part part, String item, long seen, NodeContext context) {
    var who = context.node() + "@" + context.step() + item;
    int mark = Math.floorMod(who.hashCode(), 3);
    var update =
        Update.of(LOG, who + " saw " + seen)
            .and(SUM, seen % 7)
            .and(DIGEST, seen + who.hashCode())
            .and(ITEMS, new Item("i" + mark, who))
            .and(MARKS, Map.of("m" + mark, context.step()))
            .and(SEEN, "s" + seen % 11)
            .and(MOST, seen)
            .and(NEWS, seen % 5)
            .and(TEXT, seen)
            .and(PARTS, seen)
            .and(ROUND, "" + mark);
    // One task at a time, since two would be in conflict.
    if (context.node().equals("n0")) update = update.and(HINT, who).and(TOKEN, seen % 3);
    if (part.form() == RandomGraph.Form.LOOP) update = update.and(LOOPS, 1L);
    if (mark == 1) update = update.and(Update.remove(ITEMS, "i2"));
    if (part.overwrites() && item.isEmpty()) {
      update = update.and(Update.overwrite(MARKS, Map.of(who, 1)));
      update = update.and(Update.overwrite(TEXT, seen));
    }
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
    return index == shape.parts().size() ? END : "n" + index;
  }

  /// Who arrives at a join: the items of a fan-out, not the node that sent them.
  private String source(int index) {
    boolean fanOut = shape.parts().get(index).form() == RandomGraph.Form.FAN_OUT;
    return fanOut ? name(index) + "-item" : name(index);
  }
}
