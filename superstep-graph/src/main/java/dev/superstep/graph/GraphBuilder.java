package dev.superstep.graph;

import dev.superstep.error.InvalidGraph;
import dev.superstep.graph.internal.kernel.CompiledGraph;
import dev.superstep.graph.internal.kernel.GraphDefinition;
import dev.superstep.graph.internal.kernel.NodeBody;
import dev.superstep.graph.internal.kernel.NodeSpec;
import dev.superstep.graph.internal.kernel.SubgraphSpec;
import dev.superstep.graph.internal.validation.Validation;
import dev.superstep.node.JoinPolicy;
import dev.superstep.node.Node;
import dev.superstep.node.Question;
import dev.superstep.node.Router;
import dev.superstep.node.Send;
import dev.superstep.node.SendNode;
import dev.superstep.node.Target;
import dev.superstep.run.Breakpoints;
import dev.superstep.run.CyclePolicy;
import dev.superstep.run.ValidationReport;
import dev.superstep.state.Channel;
import dev.superstep.state.RecordState;
import dev.superstep.state.State;
import dev.superstep.topology.Topology.EdgeKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/// Collects the parts of a graph. Whether they fit together is checked by [#compile], which reports
/// everything that is wrong at once. One thread at a time.
public final class GraphBuilder {
  private final GraphDefinition definition;

  GraphBuilder(String name) {
    this.definition = new GraphDefinition(name);
  }

  /// Declares channels.
  public GraphBuilder channels(Channel<?, ?>... channels) {
    definition.channels.addAll(Arrays.asList(channels));
    return this;
  }

  /// Declares the components of a record as channels.
  public GraphBuilder state(RecordState<?> record) {
    definition.channels.addAll(record.channels());
    return this;
  }

  /// Declares the questions that nodes may ask.
  public GraphBuilder questions(Question<?, ?>... questions) {
    definition.questions.addAll(Arrays.asList(questions));
    return this;
  }

  /// Adds a node that runs on the state.
  public GraphBuilder node(String name, Node node) {
    return node(name, node, NodePolicy.defaults());
  }

  /// Adds a node that runs on the state, with a policy for failures and long runs.
  public GraphBuilder node(String name, Node node, NodePolicy policy) {
    return add(name, node, new NodeBody.OnState(node::run), Optional.empty(), policy);
  }

  /// Adds a node that needs nothing but the state.
  public GraphBuilder node(String name, Node.OfState node) {
    return node(name, node, NodePolicy.defaults());
  }

  /// Adds a node that needs nothing but the state, with a policy for failures and long runs.
  public GraphBuilder node(String name, Node.OfState node, NodePolicy policy) {
    return node(name, (Node) (state, _) -> node.run(state), policy);
  }

  /// Adds a node that is a graph itself.
  public GraphBuilder node(String name, Subgraph<State> subgraph) {
    return node(name, subgraph, NodePolicy.defaults());
  }

  /// Adds a subgraph as a node, with a policy for it as a whole. A retry continues where the
  /// subgraph was, if it is saved.
  public GraphBuilder node(String name, Subgraph<State> subgraph, NodePolicy policy) {
    var spec = subgraph.spec();
    var body = new NodeBody.OnState((state, in) -> spec.run(state, state, in));
    return add(name, subgraph, body, Optional.of(spec), policy);
  }

  private GraphBuilder add(
      String name,
      Object code,
      NodeBody body,
      Optional<SubgraphSpec<?>> subgraph,
      NodePolicy policy) {
    definition.add(new GraphDefinition.NodePart(name, code, body, subgraph, policy.settings()));
    return this;
  }

  /// Adds a node that is sent an argument of its own.
  public <A> GraphBuilder node(Target<A> target, SendNode<A> node) {
    return node(target, node, NodePolicy.defaults());
  }

  /// Adds a node that is sent an argument of its own, with a policy for failures and long runs.
  public <A> GraphBuilder node(Target<A> target, SendNode<A> node, NodePolicy policy) {
    var body = new NodeBody.OnArgument<>(target, node::run);
    return add(target.name(), node, body, Optional.empty(), policy);
  }

  /// Adds a graph that is sent an argument of its own; each send is a run of its own.
  public <A> GraphBuilder node(Target<A> target, Subgraph<A> subgraph) {
    return node(target, subgraph, NodePolicy.defaults());
  }

  /// Adds a subgraph that is sent an argument of its own, with a policy for it as a whole. A retry
  /// continues where the subgraph was, if it is saved.
  public <A> GraphBuilder node(Target<A> target, Subgraph<A> subgraph, NodePolicy policy) {
    var spec = subgraph.spec();
    var body = new NodeBody.OnArgument<A>(target, spec::run);
    return add(target.name(), subgraph, body, Optional.of(spec), policy);
  }

  /// Sets the policy for every node, as far as the node's own policy does not say otherwise. A node
  /// that handles failures inherits everything but the handling of failures.
  public GraphBuilder defaults(NodePolicy policy) {
    definition.defaults = policy.settings();
    return this;
  }

  /// Makes `to` always follow `from`.
  public GraphBuilder edge(String from, String to) {
    definition.edges.add(GraphDefinition.EdgePart.of(EdgeKind.DIRECT, from, to));
    return this;
  }

  /// Makes each of these nodes always follow the one before it; the first may be START, the last
  /// END.
  public GraphBuilder sequence(String... nodes) {
    if (nodes.length < 2) {
      throw new IllegalArgumentException("nodes must be at least 2, were " + nodes.length);
    }
    for (int i = 1; i < nodes.length; i++) edge(nodes[i - 1], nodes[i]);
    return this;
  }

  /// Runs `to` once all of `from` have finished, even in different supersteps; again when all have
  /// finished again.
  public GraphBuilder join(Collection<String> from, String to) {
    return join(JoinPolicy.all(), from, to);
  }

  /// Runs `to` once as many of `from` have finished as the policy says, even in different
  /// supersteps. The others are still waited for, without another run of `to`; when a node that has
  /// finished finishes again, the count starts again.
  public GraphBuilder join(JoinPolicy policy, Collection<String> from, String to) {
    int needs = policy.needs(from.size());
    definition.edges.add(
        new GraphDefinition.EdgePart(EdgeKind.JOINED, List.copyOf(from), to, needs));
    return this;
  }

  /// Runs `node` once all of these token or barrier channels have a value, whoever wrote them and
  /// when. The node consumes them: when its superstep is folded they are absent again, unless that
  /// superstep writes them again. Several triggers of one node are alternatives; those that are
  /// complete at the same time run it once. It needs no edge to lead to it, and START needs none if
  /// the input brings the tokens.
  public GraphBuilder trigger(String node, Channel<?, ?>... tokens) {
    definition.triggers.add(new GraphDefinition.TriggerPart(node, List.of(tokens)));
    return this;
  }

  /// Adds a router that chooses one of the targets after `from`.
  public GraphBuilder route(String from, Router<String> router, String... targets) {
    definition.routers.add(router);
    return route(from, state -> List.of(router.route(state)), List.of(targets), true);
  }

  /// Adds a router that chooses one of the labels after `from`, each of which leads to a target.
  /// Every constant needs one; several may share it.
  public <E extends Enum<E>> GraphBuilder route(
      String from, Class<E> labels, Router<E> router, Map<E, String> targets) {
    definition.routers.add(router);
    return labelled(from, labels, targets, state -> List.of(router.route(state).name()), true);
  }

  /// Adds a router that chooses some of the targets after `from`; none ends this path.
  public GraphBuilder routeMany(String from, Router<List<String>> router, String... targets) {
    definition.routers.add(router);
    return route(from, router, List.of(targets), false);
  }

  /// After `from`, the router chooses some of the labels, each of which leads to a target; none
  /// ends this path.
  public <E extends Enum<E>> GraphBuilder routeMany(
      String from, Class<E> labels, Router<List<E>> router, Map<E, String> targets) {
    Router<List<String>> names = state -> router.route(state).stream().map(Enum::name).toList();
    definition.routers.add(router);
    return labelled(from, labels, targets, names, false);
  }

  /// Adds a router that chooses one of the labels after `from`, each of which leads to a target;
  /// for labels that are no constants of an enum.
  public GraphBuilder route(String from, Router<String> router, Map<String, String> targets) {
    definition.routers.add(router);
    return labelled(from, state -> List.of(router.route(state)), targets, true);
  }

  /// After `from`, the router chooses some of the labels, each of which leads to a target; none
  /// ends this path. For labels that are no constants of an enum.
  public GraphBuilder routeMany(
      String from, Router<List<String>> router, Map<String, String> targets) {
    definition.routers.add(router);
    return labelled(from, router, targets, false);
  }

  private GraphBuilder labelled(
      String from, Router<List<String>> router, Map<String, String> targets, boolean one) {
    var labels = List.copyOf(targets.keySet());
    var names = labels.stream().map(label -> Objects.requireNonNull(targets.get(label))).toList();
    definition.routes.add(new NodeSpec.Route(from, router, names, labels, one));
    return this;
  }

  private GraphBuilder route(
      String from, Router<List<String>> router, List<String> targets, boolean one) {
    definition.routes.add(new NodeSpec.Route(from, router, targets, List.of(), one));
    return this;
  }

  private <E extends Enum<E>> GraphBuilder labelled(
      String from,
      Class<E> type,
      Map<E, String> targets,
      Router<List<String>> router,
      boolean one) {
    var labels = new ArrayList<String>();
    var names = new ArrayList<String>();
    for (var label : type.getEnumConstants()) {
      var target = targets.get(label);
      if (target == null) definition.noTarget(from, type.getSimpleName(), label.name());
      else {
        labels.add(label.name());
        names.add(target);
      }
    }
    definition.routes.add(
        new NodeSpec.Route(from, router, List.copyOf(names), List.copyOf(labels), one));
    return this;
  }

  /// After `from`, the router sends each target as many arguments as it likes; none ends this path.
  public GraphBuilder fanOut(String from, Router<List<Send<?>>> router, Target<?>... targets) {
    var names = Arrays.stream(targets).map(Target::name).toList();
    definition.senders.add(router);
    definition.fanOuts.add(new NodeSpec.FanOut(from, router, names));
    return this;
  }

  /// Says where the commands of a node may lead. Such a node has no edges of its own.
  public GraphBuilder destinations(String node, String... targets) {
    for (var target : targets) {
      definition.edges.add(GraphDefinition.EdgePart.of(EdgeKind.COMMANDED, node, target));
    }
    return this;
  }

  /// Sets the nodes to which nodes of a subgraph may hand off, by
  /// [dev.superstep.node.Command#toParent] or [dev.superstep.node.Command#toGraph], beside the
  /// nodes that follow the subgraph when it ends by itself.
  public GraphBuilder handOffs(String node, String... targets) {
    for (var target : targets) {
      definition.edges.add(GraphDefinition.EdgePart.of(EdgeKind.HANDED_OFF, node, target));
    }
    return this;
  }

  /// Declares that a node reads these channels and no other; reading another is an error. Further
  /// calls for a node add to its channels. A node without a declaration may read all.
  ///
  /// The declaration lets a run with [RunOptions#dataflow] start nodes ahead of slower ones.
  public GraphBuilder reads(String node, Channel<?, ?>... channels) {
    definition.reads.computeIfAbsent(node, _ -> new ArrayList<>()).addAll(Arrays.asList(channels));
    return this;
  }

  /// Declares that a node writes these channels and no other; writing another is an error. Further
  /// calls for a node add to its channels; without a channel, it writes none. A node without a
  /// declaration may write all.
  public GraphBuilder writes(String node, Channel<?, ?>... channels) {
    definition.writes.computeIfAbsent(node, _ -> new ArrayList<>()).addAll(Arrays.asList(channels));
    return this;
  }

  /// Declares targets for commands of a node in addition to its own edges. Such a node may return a
  /// command, whose targets are added to those of its edges, or an update alone.
  public GraphBuilder additiveDestinations(String node, String... targets) {
    for (var target : targets)
      definition.edges.add(GraphDefinition.EdgePart.of(EdgeKind.ADDED, node, target));
    return this;
  }

  /// Defers nodes: once activated, they wait until nothing else is due; then all that wait run
  /// together. A node that was activated several times without an argument runs once.
  public GraphBuilder deferred(String... nodes) {
    definition.deferred.addAll(Arrays.asList(nodes));
    return this;
  }

  /// Adds breakpoints for every run, also where this graph is a subgraph.
  public GraphBuilder breakpoints(Breakpoints places) {
    definition.breakpoints = definition.breakpoints.and(places);
    return this;
  }

  /// Runs a node again only if one of these channels has changed since the snapshot of its last
  /// run; its own writes count. If none has changed, the node is skipped, with an event, and its
  /// edges are followed as if it had written nothing. It always runs the first time after new
  /// input.
  public GraphBuilder runWhenChanged(String node, Channel<?, ?>... channels) {
    definition
        .gates
        .computeIfAbsent(node, _ -> new LinkedHashSet<>())
        .addAll(Arrays.asList(channels));
    return this;
  }

  /// Sets the diagnostic for cycles; they are allowed unless set.
  public GraphBuilder cycles(CyclePolicy policy) {
    definition.cycles = policy;
    return this;
  }

  /// Limits the supersteps that a run of this graph may take, also inside another graph. A run of
  /// the graph by itself may set another limit: [RunOptions#stepLimit]. For graphs whose own loops
  /// have a limit of another kind.
  public GraphBuilder stepLimit(int steps) {
    if (steps < 1) throw new IllegalArgumentException("stepLimit must be at least 1, was " + steps);
    definition.stepLimit = steps;
    return this;
  }

  /// Everything that is wrong or odd, without making the graph.
  public ValidationReport report() {
    return Validation.report(definition);
  }

  /// Checks everything and makes the graph. Later changes to this builder do not touch it.
  ///
  /// @throws InvalidGraph with every error
  public Graph compile() {
    var report = report();
    if (!report.isValid()) throw new InvalidGraph(definition.name, report.errors());
    return new Graph(new CompiledGraph(definition, report.warnings()), GraphParts.of(definition));
  }

  @Override
  public String toString() {
    return "GraphBuilder[" + definition.name + "]";
  }
}
