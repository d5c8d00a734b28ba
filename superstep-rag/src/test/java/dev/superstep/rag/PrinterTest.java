package dev.superstep.rag;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.flow.Flow;
import dev.superstep.graph.Graph;
import dev.superstep.graph.GraphBuilder;
import dev.superstep.graph.NodePolicy;
import dev.superstep.graph.RunOptions;
import dev.superstep.graph.Subgraph;
import dev.superstep.node.Failure;
import dev.superstep.node.JoinPolicy;
import dev.superstep.node.Node;
import dev.superstep.node.OnFailure;
import dev.superstep.node.Retry;
import dev.superstep.node.Router;
import dev.superstep.node.Send;
import dev.superstep.node.Target;
import dev.superstep.node.Update;
import dev.superstep.rag.component.RagKind;
import dev.superstep.registry.Component;
import dev.superstep.registry.Kind;
import dev.superstep.registry.Registry;
import dev.superstep.run.CyclePolicy;
import dev.superstep.state.Channel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Graphs that were made in Java, as text, and back.
class PrinterTest {
  private static final Channel<List<String>, String> TRACE = Channel.append("trace", String.class);
  private static final Channel<Long, Long> COUNT = Channel.sum("count");
  private final Registry registry = Registry.named("printer");

  private Node step(String name) {
    Node node = (_, _) -> Update.of(TRACE, name);
    registry.register(Component.of(RagKind.FUNCTION, name, node));
    return node;
  }

  PrinterTest() {
    registry.register(Component.of(RagKind.CHANNEL, "trace", TRACE));
  }

  private static final String DESK =
      """
      graph desk {
        channel trace append of text
        channel count sum

        start a

        node a {
          kind function
          function "first"
          router "pick"
          routes {
            left -> b
            right -> c
          }
        }

        node b {
          kind function
          function "second"
          retry {
            max_attempts: 3
            backoff: exponential
            initial: 200ms
            factor: 2
            max: 30s
          }
        }

        node c {
          kind function
          function "third"
        }

        b -> END
        c -> END
      }
      """;

  @Test
  void a_graph_of_registered_components_is_the_same_graph_as_text() throws Exception {
    Router<String> pick = _ -> "left";
    registry.register(Component.of(Kind.ROUTER, "pick", pick));
    var routes = new LinkedHashMap<String, String>();
    routes.put("left", "b");
    routes.put("right", "c");
    var graph =
        Graph.named("desk")
            .channels(TRACE, COUNT)
            .node("a", step("first"))
            .node("b", step("second"), NodePolicy.defaults().retry(Retry.of(3)))
            .node("c", step("third"))
            .edge(Graph.START, "a")
            .edge("b", Graph.END)
            .edge("c", Graph.END)
            .route("a", pick, routes)
            .compile();
    var printed = RagPrinter.print(graph, registry);
    assertThat(printed.nameless()).isEmpty();
    assertThat(printed.text()).isEqualTo(DESK);
    assertThat(printed.isSame()).isTrue();
    var program =
        Rag.compile(
            dev.superstep.language.Source.of("desk.rag", printed.text()),
            registry,
            dev.superstep.language.check.CheckPolicy.file("desk.rag"));
    var end = Bench.run(program.graph(), Map.of(), RunOptions.defaults());
    assertThat(end.get(TRACE)).containsExactly("first", "second");
  }

  @Test
  void what_is_not_registered_is_said_and_not_invented() {
    var graph =
        Graph.named("desk")
            .channels(TRACE)
            .node("a", (_, _) -> Update.of(TRACE, "x"))
            .node("b", step("known"))
            .edge(Graph.START, "a")
            .route("a", _ -> "b", "b", Graph.END)
            .edge("b", Graph.END)
            .compile();
    var printed = RagPrinter.print(graph, registry);
    assertThat(printed.isSame()).isFalse();
    assertThat(printed.nameless())
        .containsExactly(
            "graph `desk`: the code of node `a` is not registered",
            "graph `desk`: the router after node `a` is not registered");
    RagPrinter.name(graph, registry, "desk");
    var named = RagPrinter.print(graph, registry);
    assertThat(named.nameless()).isEmpty();
    assertThat(named.text()).contains("function \"desk/a\"", "router \"desk/after_a\"");
    assertThat(named.isSame()).isTrue();
  }

  record Order(int size) {}

  @Test
  void a_retry_by_several_rules_is_said_to_be_more_than_a_text_holds() {
    var rules = Retry.of(8).or(Retry.of(3).on(IllegalStateException.class));
    var graph =
        Graph.named("desk")
            .channels(TRACE)
            .node("a", step("known"), NodePolicy.defaults().retry(rules))
            .edge(Graph.START, "a")
            .edge("a", Graph.END)
            .compile();
    var printed = RagPrinter.print(graph, registry);
    assertThat(printed.isSame()).isFalse();
    assertThat(printed.nameless())
        .containsExactly(
            "graph `desk`: node `a`: retries by 2 rules, and a text says only the first");
    assertThat(printed.text()).contains("max_attempts: 8");
  }

  @Test
  void a_typed_flow_prints_with_its_tokens_and_triggers() {
    var flow = Flow.of("ship", Order.class, String.class, (order, _) -> "box " + order.size());
    registry.register(Component.of(RagKind.TYPE, "order", Order.class));
    RagPrinter.name(flow.graph(), registry, "ship");
    var printed = RagPrinter.print(flow.graph(), registry);
    assertThat(printed.nameless()).isEmpty();
    assertThat(printed.text()).contains("token of order", "trigger [");
    assertThat(printed.isSame()).isTrue();
  }

  @Test
  void a_graph_inside_that_is_not_registered_is_printed_beside_it() {
    var inner =
        Graph.named("inner")
            .channels(TRACE)
            .node("x", step("inside"))
            .edge(Graph.START, "x")
            .edge("x", Graph.END)
            .compile();
    var graph =
        Graph.named("outer")
            .channels(TRACE)
            .node("i", Subgraph.shared(inner).remembering())
            .edge(Graph.START, "i")
            .edge("i", Graph.END)
            .compile();
    var printed = RagPrinter.print(graph, registry);
    assertThat(printed.nameless()).isEmpty();
    assertThat(printed.text()).contains("graph inner {", "remembering", "graph \"inner\"");
    assertThat(printed.isSame()).isTrue();
  }

  @Test
  void any_graph_of_registered_parts_is_the_same_graph_as_text() {
    long cases = Long.getLong("superstep.property.cases", 200);
    for (long seed = 0; seed < cases; seed++) {
      var own = Registry.named("random");
      var graph = random(new Random(seed), own);
      var printed = RagPrinter.print(graph, own);
      assertThat(printed.nameless()).as("seed %d:\n%s", seed, printed.text()).isEmpty();
      assertThat(printed.isSame()).as("seed %d:\n%s", seed, printed.text()).isTrue();
    }
  }

  private enum Side {
    LEFT,
    RIGHT
  }

  /// A graph of layers, each node of which leads to nodes of the next in a way of its own.
  private static Graph random(Random random, Registry registry) {
    var channels = new ArrayList<Channel<?, ?>>();
    channels.add(TRACE);
    channels.add(Channel.latest("a", String.class));
    channels.add(Channel.any("b-c", Long.class));
    channels.add(Channel.ephemeral("c", Boolean.class));
    channels.add(Channel.topic("d", String.class));
    channels.add(Channel.gather("e:f", String.class, 1 + random.nextInt(3)));
    channels.add(Channel.barrier("f", Set.of("x", "y")));
    channels.add(Channel.merge("g", Long.class));
    channels.add(Channel.union("h", String.class));
    channels.add(Channel.max("i", Long.class));
    channels.add(Channel.append("failures", Failure.class));
    channels.add(dev.superstep.message.Messages.channel("messages"));
    var some = channels.stream().filter(_ -> random.nextInt(3) > 0).toList();
    var all = new ArrayList<Channel<?, ?>>(some);
    if (!all.contains(TRACE)) all.add(TRACE);
    registry.register(Component.of(RagKind.CHANNEL, "trace", TRACE));
    var builder = Graph.named("random").channels(all.toArray(Channel<?, ?>[]::new));
    int nodes = 2 + random.nextInt(6);
    boolean handles = random.nextInt(3) == 0;
    for (int i = 0; i < nodes; i++) node(builder, i, handles, random, registry);
    Target<Long> sent = Target.of("sent to", Long.class);
    dev.superstep.node.SendNode<Long> taking = (_, _, _) -> Update.of(TRACE, "sent");
    registry.register(Component.of(RagKind.SEND_FUNCTION, "taking", taking));
    builder.node(sent, taking);
    if (handles) {
      dev.superstep.node.SendNode<Failure> handler = (_, _, _) -> Update.of(TRACE, "handled");
      registry.register(Component.of(RagKind.SEND_FUNCTION, "handler", handler));
      builder.node(Target.of("handler", Failure.class), handler);
    }
    builder.edge(Graph.START, name(0));
    builder.edge(name(nodes - 1), Graph.END);
    builder.edge("sent to", Graph.END);
    if (handles) builder.edge("handler", Graph.END);
    Router<List<Send<?>>> spread = _ -> List.of();
    registry.register(Component.of(Kind.ROUTER, "spread", spread));
    for (int i = 0; i < nodes - 1; i++) follow(builder, i, nodes, random, registry);
    builder.fanOut(name(0), spread, sent);
    if (random.nextBoolean()) builder.cycles(CyclePolicy.WARN);
    if (random.nextBoolean())
      builder.breakpoints(dev.superstep.run.Breakpoints.none().before(name(0)));
    if (random.nextBoolean())
      builder.defaults(NodePolicy.defaults().timeout(Duration.ofSeconds(9)));
    return builder.compile();
  }

  private static String name(int i) {
    return (i % 2 == 0 ? "n" : "the node ") + i;
  }

  private static void node(
      GraphBuilder builder, int i, boolean handles, Random random, Registry registry) {
    var name = name(i);
    Node node = (_, _) -> Update.of(TRACE, name);
    registry.register(Component.of(RagKind.FUNCTION, "f" + i, node));
    var policy = NodePolicy.defaults();
    if (random.nextInt(3) == 0)
      policy = policy.retry(Retry.of(1 + random.nextInt(5)).withoutJitter());
    if (random.nextInt(3) == 0)
      policy = policy.timeout(Duration.ofMillis(1 + random.nextInt(9999)));
    if (random.nextInt(4) == 0) policy = policy.priority(random.nextInt(9) - 4);
    if (random.nextInt(4) == 0) policy = policy.visits(1 + random.nextInt(9));
    switch (random.nextInt(5)) {
      case 0 -> policy = policy.onFailure(OnFailure.skip());
      case 1 -> policy = policy.onFailure(OnFailure.fallback(Update.of(TRACE, "{no} \"luck\"")));
      case 2 -> {
        if (handles)
          policy = policy.onFailure(OnFailure.route(Target.of("handler", Failure.class)));
      }
      default -> {}
    }
    if (handles && i == 0) {
      policy = policy.onFailure(OnFailure.route(Target.of("handler", Failure.class)));
    }
    builder.node(name, node, policy);
    if (random.nextInt(4) == 0) builder.deferred(name);
    if (random.nextInt(4) == 0 && i > 0) builder.runWhenChanged(name, TRACE);
    if (random.nextInt(4) == 0) builder.writes(name, TRACE);
  }

  private static void follow(
      GraphBuilder builder, int i, int nodes, Random random, Registry registry) {
    var to = name(i + 1);
    switch (random.nextInt(4)) {
      case 0 -> {
        Router<String> router = _ -> to;
        registry.register(Component.of(Kind.ROUTER, "r" + i, router));
        builder.route(name(i), router, to, Graph.END);
      }
      case 1 -> {
        Router<Side> router = _ -> Side.LEFT;
        registry.register(Component.of(Kind.ROUTER, "r" + i, router));
        builder.route(
            name(i), Side.class, router, Map.of(Side.LEFT, to, Side.RIGHT, name(nodes - 1)));
      }
      case 2 -> {
        builder.edge(name(i), to);
        if (i > 0) builder.join(JoinPolicy.any(), List.of(name(i - 1), name(i)), name(nodes - 1));
      }
      default -> builder.edge(name(i), to);
    }
  }
}
