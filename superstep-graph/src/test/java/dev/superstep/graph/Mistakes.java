package dev.superstep.graph;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;

import dev.superstep.graph.ErrorMessagesTest.Case;
import dev.superstep.node.CachePolicy;
import dev.superstep.node.Failure;
import dev.superstep.node.JoinPolicy;
import dev.superstep.node.Node;
import dev.superstep.node.NodeResult;
import dev.superstep.node.OnFailure;
import dev.superstep.node.Question;
import dev.superstep.node.SendNode;
import dev.superstep.node.Target;
import dev.superstep.node.Update;
import dev.superstep.run.Breakpoints;
import dev.superstep.run.CyclePolicy;
import dev.superstep.run.Input;
import dev.superstep.state.Channel;
import dev.superstep.state.State;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/// At least one way to make each problem of a graph's definition.
final class Mistakes {
  private static final Node NOTHING = (_, _) -> NodeResult.nothing();
  private static final SendNode<String> SENT = (_, _, _) -> NodeResult.nothing();
  private static final Target<String> PART = Target.of("part", String.class);
  private static final Channel<Long, Long> SUM = Channel.sum("sum");
  private static final Question<String, String> ASK =
      Question.of("ask", String.class, String.class);

  private enum Mood {
    GOOD,
    BAD
  }

  private final List<Case> cases = new ArrayList<>();

  private Mistakes() {}

  static List<Case> all() {
    var all = new Mistakes();
    all.names();
    all.edges();
    all.labels();
    all.cycles();
    all.gates();
    all.triggers();
    all.policies();
    all.caches();
    all.subgraphs();
    return all.cases;
  }

  private void names() {
    cases.add(new Case("no nodes", () -> Graph.named("desk").compile()));
    around("a name used twice", g -> g.node("draft", NOTHING));
    around("a channel name used twice", g -> g.channels(SUM, Channel.sum("sum")));
    around("a question name used twice", g -> g.questions(ASK, ASK));
    around("an odd name", g -> g.node("1st", NOTHING).edge("draft", "1st").edge("1st", END));
  }

  private void edges() {
    around("a pause at an unknown node", g -> g.breakpoints(Breakpoints.none().before("revew")));
    around("a declaration of an unknown node", g -> g.reads("drafd", SUM));
    around("a declaration of an unknown channel", g -> g.writes("draft", Channel.sum("x")));
    around("an unknown node", g -> g.edge("draft", "revew"));
    around("an edge from END", g -> g.edge(END, "draft"));
    around("an edge to START", g -> g.edge("draft", START));
    around("an edge there twice", g -> g.edge("draft", "review"));
    around("a join of one", g -> g.join(List.of("draft"), "publish"));
    around(
        "a join that needs more than there are",
        g -> g.join(JoinPolicy.atLeast(3), List.of("draft", "review"), "publish"));
    around("a join of START", g -> g.join(List.of(START, "draft"), "publish"));
    around("a source named twice", g -> g.join(List.of("draft", "draft"), "publish"));
    around(
        "an edge to a node that needs an argument",
        g -> g.node(PART, SENT).edge("draft", "part").edge("part", END));
    around(
        "a send to a node that takes none",
        g -> g.fanOut("draft", _ -> List.of(), Target.of("review", String.class)));
    around("edges beside commands", g -> g.destinations("draft", "publish"));
    around(
        "both kinds of destinations",
        g ->
            g.node("boss", NOTHING)
                .edge("draft", "boss")
                .destinations("boss", END)
                .additiveDestinations("boss", "publish"));
    around("a command of START", g -> g.destinations(START, "publish"));
    around("a router without targets", g -> g.route("draft", _ -> "publish"));
    wrong("nothing after START", g -> g.edge("draft", "review").edge("review", END));
    wrong("a node that no path leads to", g -> g.edge(START, "draft").edge("draft", END));
    wrong(
        "a node that leads nowhere",
        g -> g.edge(START, "draft").edge("draft", "review").edge("draft", END));
  }

  private void cycles() {
    around("a cycle that cannot be left", g -> g.edge("review", "draft"));
    around(
        "a cycle that cannot be left because of a join",
        g ->
            g.node("proof", NOTHING)
                .edge("draft", "proof")
                .join(List.of("review", "proof"), "draft"));
    around(
        "a cycle where none may be",
        g -> g.cycles(CyclePolicy.FORBID).route("publish", _ -> END, "draft", "review"));
  }

  private void labels() {
    around(
        "a label without a target",
        g -> g.route("draft", Mood.class, _ -> Mood.GOOD, Map.of(Mood.GOOD, "publish")));
  }

  private void gates() {
    around("a deferred node that is not there", g -> g.deferred("publsh"));
    around("a gated node that is not there", g -> g.runWhenChanged("publsh", SUM));
    around("a gate without channels", g -> g.runWhenChanged("draft"));
    around("a gate of an unknown channel", g -> g.runWhenChanged("draft", SUM));
    var scratch = Channel.untracked("scratch", String.class);
    around(
        "a gate of a channel that is not kept",
        g -> g.channels(scratch).runWhenChanged("draft", scratch));
    around(
        "a gate of a node that is sent arguments",
        g ->
            g.channels(SUM)
                .node(PART, SENT)
                .fanOut("draft", _ -> List.of(), PART)
                .edge("part", END)
                .runWhenChanged("part", SUM));
    around(
        "a gate of a node that commands",
        g ->
            g.channels(SUM)
                .node("boss", NOTHING)
                .edge("draft", "boss")
                .destinations("boss", END)
                .runWhenChanged("boss", SUM));
    var order = Channel.token("order", String.class);
    around(
        "a gate of a node that is run by tokens",
        g ->
            g.channels(SUM, order)
                .node("clerk", NOTHING)
                .trigger("clerk", order)
                .edge("clerk", END)
                .runWhenChanged("clerk", SUM));
  }

  private void triggers() {
    var order = Channel.token("order", String.class);
    var paid = Channel.token("paid", String.class);
    around("a trigger without tokens", g -> g.trigger("review"));
    around("a trigger by a plain channel", g -> g.channels(SUM).trigger("review", SUM));
    around("a trigger by an unknown channel", g -> g.trigger("review", order));
    around(
        "a trigger that names a token twice",
        g -> g.channels(order).trigger("review", order, order));
    around(
        "two readers of one token",
        g -> g.channels(order).trigger("review", order).trigger("publish", order));
    around(
        "a trigger that is there twice",
        g -> g.channels(order).trigger("review", order).trigger("review", order));
    around(
        "a trigger within another",
        g -> g.channels(order, paid).trigger("review", order, paid).trigger("review", paid));
    around("a trigger of END", g -> g.channels(order).trigger(END, order));
  }

  private void policies() {
    var repair = Target.of("repair", Failure.class);
    var routed = NodePolicy.defaults().onFailure(OnFailure.route(repair));
    var skipped = NodePolicy.defaults().onFailure(OnFailure.skip());
    around(
        "a handler whose own failures are handled",
        g ->
            g.node("risky", NOTHING, routed)
                .node(repair, (_, _, _) -> NodeResult.nothing(), skipped)
                .edge("draft", "risky")
                .edge("risky", END)
                .edge("repair", END));
    around(
        "a node that commands and is skipped",
        g -> g.node("risky", NOTHING, skipped).edge("draft", "risky").destinations("risky", END));
    around(
        "a fallback that writes an unknown channel",
        g ->
            g.node(
                    "risky",
                    NOTHING,
                    NodePolicy.defaults().onFailure(OnFailure.fallback(Update.of(SUM, 1L))))
                .edge("draft", "risky")
                .edge("risky", END));
    around(
        "a record of failures that is an unknown channel",
        g ->
            g.node(
                    "risky",
                    NOTHING,
                    NodePolicy.defaults()
                        .onFailure(
                            OnFailure.skip().recordedIn(Channel.append("failures", Failure.class))))
                .edge("draft", "risky")
                .edge("risky", END));
    around(
        "a fallback that writes what its node does not declare",
        g ->
            g.channels(SUM)
                .node(
                    "risky",
                    NOTHING,
                    NodePolicy.defaults().onFailure(OnFailure.fallback(Update.of(SUM, 1L))))
                .writes("risky")
                .edge("draft", "risky")
                .edge("risky", END));
    around(
        "a handler that was declared with another constant",
        g ->
            g.node("risky", NOTHING, routed)
                .node(Target.of("repair", String.class), SENT)
                .edge("draft", "risky")
                .edge("risky", END)
                .edge("repair", END));
    around(
        "a handler that is a destination, too",
        g ->
            g.node("risky", NOTHING, routed)
                .node(repair, (_, _, _) -> NodeResult.nothing())
                .edge("draft", "risky")
                .destinations("risky", "repair", END)
                .edge("repair", END));
  }

  private void caches() {
    around(
        "a cache by the argument of a node that is sent none",
        g ->
            g.node("slow", NOTHING, NodePolicy.defaults().cache(CachePolicy.byArgument()))
                .edge("draft", "slow")
                .edge("slow", END));
    around(
        "a cache of a node that shares its channels",
        g ->
            g.channels(SUM)
                .node(
                    "deep",
                    Subgraph.shared(graph(b -> b.channels(SUM))),
                    NodePolicy.defaults().cache(CachePolicy.by(_ -> "same")))
                .edge("draft", "deep")
                .edge("deep", END));
  }

  private void subgraphs() {
    around("hand-offs of a node that is no graph", g -> g.handOffs("draft", "publish"));
    inside("a shared graph that shares nothing", Subgraph.shared(graph(Mistakes::nothing)));
    inside("a memory that is not kept", remembering(Mistakes::nothing).withoutCheckpoints());
    around(
        "a shared graph that is to return commands",
        g ->
            g.channels(SUM)
                .node("deep", Subgraph.shared(graph(b -> b.channels(SUM))))
                .edge("draft", "deep")
                .destinations("deep", END));
    around(
        "a memory of several at once",
        g ->
            g.node(
                    PART,
                    Subgraph.<String>of(
                            graph(Mistakes::nothing), _ -> Input.none(), _ -> NodeResult.nothing())
                        .remembering())
                .fanOut("draft", _ -> List.of(), PART)
                .edge("part", END));
    cases.add(
        new Case(
            "graphs too deep inside of each other",
            () -> {
              for (var graph = graph(Mistakes::nothing); ; ) {
                var deeper = graph;
                graph =
                    Graph.named("deep")
                        .node("down", plain(deeper))
                        .edge(START, "down")
                        .edge("down", END)
                        .compile();
              }
            }));
  }

  private void inside(String title, Subgraph<State> subgraph) {
    around(title, g -> g.node("deep", subgraph).edge("draft", "deep").edge("deep", END));
  }

  private static Subgraph<State> plain(Graph graph) {
    return Subgraph.of(graph, (State _) -> Input.none(), _ -> NodeResult.nothing());
  }

  private static GraphBuilder nothing(GraphBuilder builder) {
    return builder;
  }

  /// A graph that holds one that remembers.
  private static Subgraph<State> remembering(UnaryOperator<GraphBuilder> more) {
    return plain(
        Graph.named("around")
            .node("memory", plain(graph(more)).remembering())
            .edge(START, "memory")
            .edge("memory", END)
            .compile());
  }

  private static Graph graph(UnaryOperator<GraphBuilder> more) {
    return more.apply(Graph.named("small"))
        .node("only", NOTHING)
        .edge(START, "only")
        .edge("only", END)
        .compile();
  }

  /// Beside a path from START over all nodes to END.
  private void around(String title, UnaryOperator<GraphBuilder> mistake) {
    wrong(
        title,
        g ->
            mistake.apply(
                g.edge(START, "draft")
                    .edge("draft", "review")
                    .edge("review", "publish")
                    .edge("publish", END)
                    .node("publish", NOTHING)));
  }

  private void wrong(String title, UnaryOperator<GraphBuilder> mistake) {
    var graph = Graph.named("desk").node("draft", NOTHING).node("review", NOTHING);
    cases.add(new Case(title, () -> mistake.apply(graph).compile()));
  }
}
