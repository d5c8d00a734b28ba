package dev.superstep.rag.internal.binding;

import dev.superstep.error.InvalidGraph;
import dev.superstep.graph.Graph;
import dev.superstep.graph.GraphBuilder;
import dev.superstep.graph.NodePolicy;
import dev.superstep.graph.Subgraph;
import dev.superstep.language.blueprint.Blueprint;
import dev.superstep.language.blueprint.Literal;
import dev.superstep.language.blueprint.NodeBlueprint;
import dev.superstep.language.blueprint.Value;
import dev.superstep.language.rag.Capability;
import dev.superstep.language.rag.Item;
import dev.superstep.language.rag.NodeKind;
import dev.superstep.language.rag.RagCode;
import dev.superstep.node.Failure;
import dev.superstep.node.Node;
import dev.superstep.node.SendNode;
import dev.superstep.node.Target;
import dev.superstep.node.Update;
import dev.superstep.rag.component.RagKind;
import dev.superstep.rag.internal.node.AgentNodes;
import dev.superstep.rag.internal.node.AskCode;
import dev.superstep.rag.internal.node.ModelCode;
import dev.superstep.rag.internal.node.NodeCode;
import dev.superstep.rag.internal.node.NodeComponents;
import dev.superstep.rag.internal.node.NodeEnd;
import dev.superstep.rag.internal.node.NodePolicies;
import dev.superstep.rag.internal.node.SubgraphNodes;
import dev.superstep.rag.internal.node.TimedJoin;
import dev.superstep.rag.internal.node.ToolCode;
import dev.superstep.rag.internal.run.RunErrors;
import dev.superstep.rag.internal.run.Scene;
import dev.superstep.rag.internal.value.JsonFields;
import dev.superstep.rag.internal.value.LiteralValues;
import dev.superstep.registry.Kind;
import dev.superstep.run.Breakpoints;
import dev.superstep.run.CyclePolicy;
import dev.superstep.state.Channel;
import dev.superstep.state.State;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Binds one graph: makes its channels, its nodes and what follows what. One thread at a time.
public final class GraphBinding {
  private final RagBinder binder;
  private final Blueprint blueprint;
  private final BindingProblems problems;
  private final Scene scene;
  private final GraphBuilder builder;
  private final NodePolicies policies;
  private final Map<String, Target<Object>> targets = new LinkedHashMap<>();
  private final Map<String, NodeEnd> ends = new LinkedHashMap<>();

  public GraphBinding(
      RagBinder binder, Blueprint blueprint, RagBinder.Around around, BindingProblems problems) {
    this.binder = binder;
    this.blueprint = blueprint;
    this.problems = problems;
    var channels = binder.channels().of(blueprint, problems);
    this.scene =
        new Scene(
            blueprint,
            channels,
            binder.registry(),
            binder.types(),
            around.allowed().within(blueprint),
            around.meter().within(blueprint.items()));
    this.builder = Graph.named(blueprint.graph());
    this.policies = new NodePolicies(scene);
  }

  public Optional<BoundGraph> bind() {
    if (!problems.isEmpty()) return Optional.empty();
    builder.channels(scene.channels().values().toArray(Channel<?, ?>[]::new));
    builder.channels(scene.meter().channels().toArray(Channel<?, ?>[]::new));
    settings();
    targets();
    for (var node : blueprint.nodes()) guarded("node/" + node.name(), () -> node(node));
    if (problems.isEmpty()) {
      guarded("graph", () -> new Routing(scene, targets, ends, builder).add());
    }
    return problems.isEmpty() ? compiled() : Optional.empty();
  }

  private Optional<BoundGraph> compiled() {
    try {
      var graph = builder.compile();
      return Optional.of(new BoundGraph(graph, scene, binder.errors(blueprint)));
    } catch (InvalidGraph e) {
      for (var problem : e.problems()) {
        problems.add(RagCode.UNFIT_GRAPH, "graph", plain(problem.message()), problem.code());
      }
      return Optional.empty();
    }
  }

  /// A message of the engine without its advice, which is for programs in Java.
  private static String plain(String message) {
    return message.split("[;,] (?=declare |use |add |or |keep one)", 2)[0];
  }

  /// Does a part of the work; what it throws is a problem of that part.
  private void guarded(String path, Runnable work) {
    try {
      work.run();
    } catch (RuntimeException e) {
      problems.unfit(path, RunErrors.why(e), "");
    }
  }

  private void settings() {
    var items = blueprint.items();
    items
        .text(Item.CYCLES)
        .ifPresent(
            word -> builder.cycles(CyclePolicy.valueOf(word.toUpperCase(java.util.Locale.ROOT))));
    // Of the graph itself, so that it holds inside other graphs, too.
    blueprint.defaults().count(Item.RECURSION_LIMIT).ifPresent(builder::stepLimit);
    breakpoints(items.fields(Item.BREAKPOINTS));
    for (var name : items.texts(Item.QUESTIONS)) {
      guarded("graph/questions", () -> builder.questions(scene.component(RagKind.QUESTION, name)));
    }
    guarded("graph/defaults/node", () -> builder.defaults(policies.of(blueprint.nodeDefaults())));
  }

  private void breakpoints(Map<String, Literal> fields) {
    if (fields.isEmpty()) return;
    var places = Breakpoints.none().before(names(fields, "before"));
    places = places.after(names(fields, "after"));
    boolean isEvery = fields.get("every_step") instanceof Literal.Bool(var every) && every;
    builder.breakpoints(isEvery ? places.and(Breakpoints.everyStep()) : places);
  }

  private static String[] names(Map<String, Literal> fields, String key) {
    if (!(fields.get(key) instanceof Literal.Many(var all))) return new String[0];
    return all.stream()
        .map(each -> JsonFields.plain(LiteralValues.json(each)))
        .toArray(String[]::new);
  }

  /// Finds the nodes that are sent arguments, and the types of these.
  private void targets() {
    var sent = new HashSet<String>();
    var start = blueprint.start();
    sent(start.find(Item.SENDS, Value.Sends.class).map(Value.Sends::sends).orElse(List.of()), sent);
    start.find(Item.FAN_OUT, Value.FanOut.class).ifPresent(fan -> sent.addAll(fan.to()));
    var handlers = new HashSet<String>();
    handler(blueprint.nodeDefaults().find(Item.ON_FAILURE, Value.OnFailure.class), handlers);
    for (var node : blueprint.nodes()) {
      sent(node.sends(), sent);
      node.fanOut().ifPresent(fan -> sent.addAll(fan.to()));
      handler(node.onFailure(), handlers);
      if (node.argument().isPresent()) sent.add(node.name());
    }
    sent.addAll(handlers);
    for (var node : blueprint.nodes()) {
      var name = node.name();
      if (!sent.contains(name)) continue;
      guarded("node/" + name + "/argument", () -> targets.put(name, target(node, handlers)));
    }
  }

  @SuppressWarnings("unchecked") // the codec is that of the argument
  private Target<Object> target(NodeBlueprint node, Set<String> handlers) {
    if (handlers.contains(node.name())) {
      return (Target<Object>) (Target<?>) NodePolicies.handler(node.name());
    }
    var type = node.argument().orElse(dev.superstep.language.blueprint.TypeName.JSON);
    return new Target<>(node.name(), scene.types().bound(type).codec());
  }

  private static void sent(List<Value.Send> sends, Set<String> names) {
    sends.forEach(send -> names.add(send.to()));
  }

  private static void handler(Optional<Value.OnFailure> handling, Set<String> names) {
    handling.flatMap(Value.OnFailure::to).ifPresent(names::add);
  }

  private void node(NodeBlueprint node) {
    var end = NodeEnd.of(node, scene);
    ends.put(node.name(), end);
    // Defaults of all nodes are the builder's.
    var policy = policies.of(node.items());
    switch (node.kind()) {
      case MODEL -> {
        if (node.middleware().isEmpty()) {
          code(node, ModelCode.of(node, scene, model(node), offered(node), end), policy);
        } else graph(node, agents().agent(node, model(node), List.of(), end), policy);
      }
      case ROUTER, JOIN -> {
        var timed = timed(node, end);
        if (timed.isPresent()) code(node, timed.get(), policy);
        else code(node, (_, _, _) -> end.of(new Update(List.of())), policy);
      }
      case FUNCTION -> function(node, end, policy);
      case INTERRUPT, HUMAN -> {
        var code = AskCode.of(node, scene, end, binder);
        builder.questions(code.question());
        code(node, code, policy);
      }
      case TOOL_EXECUTOR -> code(node, ToolCode.of(node, scene, caller(node), end), policy);
      case AGENT ->
          graph(node, agents().agent(node, model(node), component(node).tools(), end), policy);
      case SUBAGENT -> subagent(node, end, policy);
      case SUBGRAPH -> subgraph(node, end, policy);
      case REPL_AGENT -> session(node, end, policy);
    }
  }

  private void session(NodeBlueprint node, NodeEnd end, NodePolicy policy) {
    if (node.model().isEmpty() && node.script().isEmpty()) {
      throw new IllegalArgumentException(
          "node `" + node.name() + "` has neither a script nor a model that could write cells");
    }
    node.script().ifPresent(name -> component(node).check(Capability.SCRIPTS, name));
    var parts = component(node);
    graph(node, agents().session(node, parts.model(), parts.tools(), end), policy);
  }

  /// The join that a node is, if it waits a limited time.
  private Optional<TimedJoin> timed(NodeBlueprint node, NodeEnd end) {
    if (node.kind() != NodeKind.JOIN || !node.items().has(Item.TIMEOUT)) return Optional.empty();
    var sources = node.sources().orElseThrow();
    if (sources.needs() != 0) {
      problems.unfit(
          "node/" + node.name() + "/timeout",
          "a join with a timeout waits for all of its sources",
          "leave out `timeout`, or `any` and `N of`");
      return Optional.empty();
    }
    var timeout = node.items().duration(Item.TIMEOUT).orElseThrow();
    var join = TimedJoin.of(node.name(), sources.nodes(), timeout, end);
    var names = new HashSet<String>();
    for (var each : blueprint.nodes()) names.add(each.name());
    join.add(builder, names);
    return Optional.of(join);
  }

  private AgentNodes agents() {
    return new AgentNodes(scene);
  }

  private NodeComponents component(NodeBlueprint node) {
    return new NodeComponents(node, scene);
  }

  private dev.superstep.model.ChatModel model(NodeBlueprint node) {
    return component(node)
        .model()
        .orElseThrow(() ->
            new IllegalArgumentException(
                "node `" + node.name() + "` names no model, and no graph around gives it one"));
  }

  private List<dev.superstep.model.ToolSpec> offered(NodeBlueprint node) {
    return component(node).offered();
  }

  private dev.superstep.tool.ToolCaller caller(NodeBlueprint node) {
    return dev.superstep.tool.ToolCaller.of(dev.superstep.tool.Tools.of(component(node).tools()));
  }

  private void subagent(NodeBlueprint node, NodeEnd end, NodePolicy policy) {
    var name = node.agent().orElseThrow();
    component(node).check(Capability.AGENTS, name);
    var agent = scene.component(Kind.AGENT, name);
    var subgraph = agents().subagent(node, agent, component(node).model(), end);
    graph(node, subgraph, policy);
  }

  private void subgraph(NodeBlueprint node, NodeEnd end, NodePolicy policy) {
    if (!node.items().has(Item.OUTPUT_MAPPING) && !end.isPlain()) {
      // Where its command leads is an edge.
      end.target().ifPresent(to -> builder.edge(node.name(), to));
      ends.put(node.name(), end.plain());
    }
    var name = node.graph().orElseThrow();
    var nodes = new SubgraphNodes(scene);
    if (!binder.has(name)) {
      component(node).check(Capability.GRAPHS, name);
      if (node.model().isPresent()) {
        throw new IllegalArgumentException(
            "graph `" + name + "` is registered code, which has its own models");
      }
      graph(node, nodes.of(node, scene.component(Kind.GRAPH, name), Optional.empty(), end), policy);
      return;
    }
    node.model().ifPresent(model -> component(node).check(Capability.MODELS, model));
    var around = new RagBinder.Around(scene.allowed(), scene.meter(), node.model());
    var inner = binder.graph(name, around, problems);
    if (inner.isEmpty()) {
      if (problems.isEmpty())
        throw new IllegalArgumentException("graph `" + name + "` is inside itself");
      return;
    }
    graph(node, nodes.of(node, inner.get().graph(), Optional.of(inner.get().scene()), end), policy);
  }

  @SuppressWarnings("unchecked") // who sends to the node knows its type
  private void function(NodeBlueprint node, NodeEnd end, NodePolicy policy) {
    var name = node.function().orElseThrow();
    component(node).check(Capability.FUNCTIONS, name);
    var target = targets.get(node.name());
    var sent = scene.registry().find(RagKind.SEND_FUNCTION, name);
    if (target != null && sent.isPresent()) {
      var work = (SendNode<Object>) sent.get();
      sent(
          target,
          end.isPlain() ? work : (argument, state, c) -> end.of(work.run(argument, state, c)),
          policy);
      return;
    }
    var work = scene.component(RagKind.FUNCTION, name);
    Node whole = end.isPlain() ? work : (state, context) -> end.of(work.run(state, context));
    if (target == null) plain(node.name(), whole, policy);
    else sent(target, (_, state, context) -> whole.run(state, context), policy);
  }

  /// Adds a node whose tasks are counted where the graph has limits.
  private void plain(String name, Node work, NodePolicy policy) {
    var meter = scene.meter();
    Node counted = (state, c) -> meter.task(state, c, () -> work.run(state, c));
    builder.node(name, meter.isCounting() ? counted : work, policy);
  }

  private void sent(Target<Object> target, SendNode<Object> work, NodePolicy policy) {
    var meter = scene.meter();
    SendNode<Object> counted =
        (arg, s, c) ->
            arg instanceof Failure
                ? meter.handler(s, c, () -> work.run(arg, s, c))
                : meter.task(s, c, () -> work.run(arg, s, c));
    builder.node(target, meter.isCounting() ? counted : work, policy);
  }

  private void code(NodeBlueprint node, NodeCode code, NodePolicy policy) {
    var target = targets.get(node.name());
    if (target == null) {
      plain(node.name(), (state, context) -> code.run(state, null, context), policy);
    } else sent(target, (argument, state, c) -> code.run(state, argument, c), policy);
  }

  @SuppressWarnings("unchecked") // it runs on whatever the node has
  private void graph(NodeBlueprint node, Subgraph<Object> subgraph, NodePolicy policy) {
    var kept =
        node.items().text(Item.CHECKPOINT).filter("disabled"::equals).isPresent()
            ? subgraph.withoutCheckpoints()
            : subgraph;
    var target = targets.get(node.name());
    if (target == null) {
      builder.node(node.name(), (Subgraph<State>) (Subgraph<?>) kept, policy);
    } else builder.node(target, kept, policy);
  }
}
