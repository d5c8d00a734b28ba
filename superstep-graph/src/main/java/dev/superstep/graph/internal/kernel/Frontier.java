package dev.superstep.graph.internal.kernel;

import dev.superstep.checkpoint.Activation;
import dev.superstep.checkpoint.Interrupt;
import dev.superstep.checkpoint.Memories;
import dev.superstep.error.RouterFailed;
import dev.superstep.error.UnknownTarget;
import dev.superstep.name.NameSuggestion;
import dev.superstep.node.Send;
import dev.superstep.run.Input;
import dev.superstep.topology.Topology;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The tasks that are due next, while the results of a superstep are followed. Records the reasons
/// if somebody asked for them. One thread, for one superstep.
final class Frontier {
  // Up to here it is quicker to look at each target than to make a set.
  private static final int FEW = 8;

  private final ExecutionGraph executionGraph;
  private final Triggers triggers;
  private final Snapshot state;
  private final RouteOverride chooser;
  // Null until a node that leads to a join has ended.
  private @Nullable Arrivals arrivals;
  private final @Nullable List<RoutingReason> reasons;
  // Those without an argument, each in a list of its own, by the place of their node.
  private final Folding.ByPlace<List<PendingTask>> plain = new Folding.ByPlace<>();
  private Memories memories = Memories.NONE;
  private List<PendingTask> sent = List.of();
  private List<PendingTask> resumed = List.of();

  /// @param state after the fold
  /// @param explains whether reasons are recorded
  Frontier(
      ExecutionGraph executionGraph,
      Triggers triggers,
      Snapshot state,
      RouteOverride chooser,
      boolean explains) {
    this.executionGraph = executionGraph;
    this.triggers = triggers;
    this.state = state;
    this.chooser = chooser;
    this.reasons = explains ? new ArrayList<>() : null;
  }

  Snapshot.Position position(
      Snapshot.Begin place, int step, List<String> ran, Map<String, Map<String, Long>> seen) {
    var before = state.position();
    var arrived = before.arrived();
    if (arrivals != null) {
      for (var join : arrivals.meet(reasons)) activate(join.to(), new Activation.Joined());
      arrived = arrivals.arrived();
    }
    if (!triggers.isEmpty()) triggers.activate(state, resumed, this::activate);
    if (reasons != null) triggers.explain(state, resumed, reasons);
    var marks = before.marks().replaced(arrived, seen, ran, chooser.chosen(), memories);
    var active = active();
    if (!executionGraph.defers()) {
      return new Snapshot.Position(place, step, active, DeferredTasks.NONE, marks);
    }
    var due = new ArrayList<PendingTask>();
    var later = new ArrayList<PendingTask>();
    for (var one : active) (one.isDeferred() ? later : due).add(one);
    var deferred = before.deferred().with(later);
    return due.isEmpty()
        ? new Snapshot.Position(place, step, deferred.all(), DeferredTasks.NONE, marks)
        : new Snapshot.Position(place, step, due, deferred, marks);
  }

  /// All of it in task order; mostly a single one.
  private List<PendingTask> active() {
    var first = plain.get(plain.next(0));
    boolean isAlone = plain.size() == 1 && sent.isEmpty() && resumed.isEmpty();
    if (isAlone && first != null) return first;
    var active = new ArrayList<PendingTask>(plain.size() + sent.size() + resumed.size());
    for (int i = plain.next(0); i != Folding.ByPlace.NONE; i = plain.next(i + 1)) {
      active.addAll(Objects.requireNonNull(plain.get(i)));
    }
    active.addAll(sent);
    active.addAll(resumed);
    return active;
  }

  /// Makes the node due again with its argument; nothing follows it yet.
  private void resume(PendingTask due, Interrupt asked) {
    if (reasons != null) stay(due.node(), new RoutingReason.Asked(due.node()), reasons);
    var again = new Activation.Resumed(asked, Triggers.tokens(due.activation()));
    again().add(due.again(again));
  }

  void remember(Memories all) {
    memories = all;
  }

  /// Adds tasks that are due whatever follows.
  void carry(List<PendingTask> left) {
    for (var due : left) {
      if (due.node().hasArgument()) sending().add(due);
      else if (due.activation() instanceof Activation.Resumed) again().add(due);
      else plain.put(due.node().index(), List.of(due));
    }
  }

  private List<PendingTask> sending() {
    if (sent.isEmpty()) sent = new ArrayList<>();
    return sent;
  }

  private List<PendingTask> again() {
    if (resumed.isEmpty()) resumed = new ArrayList<>();
    return resumed;
  }

  /// Activates what the input names itself.
  void seed(Input input) {
    if (reasons != null) reasons.add(new RoutingReason.Seeded(executionGraph.start(), input));
    for (var name : input.starts()) activate(executionGraph.first(name), new Activation.Entry());
    for (var send : input.sends()) send(UnknownTarget.INPUT, Topology.START, send);
  }

  /// Records why a node neither is followed nor arrives at its joins.
  private void stay(NodeSpec node, RoutingReason why, List<RoutingReason> to) {
    to.add(why);
    if (!node.joins.isEmpty()) arrivals().await(node);
  }

  void follow(PendingTask due, Next next) {
    switch (next) {
      case Next.Edges() -> follow(due.node());
      case Next.Goto named -> follow(due.node(), named);
      case Next.Ask(var question) -> resume(due, question);
      case Next.Leave _ -> throw new IllegalStateException("its graph has ended: " + due);
    }
  }

  private void follow(NodeSpec node, Next.Goto named) {
    boolean failed = node.isFailure(named);
    if (reasons != null && failed) stay(node, new RoutingReason.Failed(node), reasons);
    if (reasons != null && !failed) reasons.add(new RoutingReason.Commanded(node, named));
    if (node.additive && !failed) edges(node);
    var because = new Activation.Commanded(node.name());
    for (var target : named.nodes()) activate(node.name(), target, because);
    for (var send : named.sends()) send(node.name(), node.name(), send);
    if (!failed && !node.joins.isEmpty()) arrivals().arrive(node);
  }

  void follow(NodeSpec node) {
    edges(node);
    if (!node.joins.isEmpty()) arrivals().arrive(node);
  }

  private Arrivals arrivals() {
    var known = arrivals;
    if (known == null) arrivals = known = new Arrivals(state.position().arrived());
    return known;
  }

  private void edges(NodeSpec node) {
    if (reasons != null) reasons.add(new RoutingReason.Followed(node));
    for (int i = 0; i < node.direct.size(); i++) activate(node.direct.get(i), node.edge);
    for (int i = 0; i < node.routes.size(); i++) {
      var route = node.routes.get(i);
      var choice = targets(node, i);
      var known = quick(route.targets(), choice.size());
      for (var target : choice) {
        declared(node.name(), target, known);
        activate(node.name(), target, node.routed);
      }
    }
    for (int i = 0; i < node.fanOuts.size(); i++) {
      var fanOut = node.fanOuts.get(i);
      var sends = ask(node, () -> fanOut.router().route(state));
      if (reasons != null) reasons.add(new RoutingReason.FannedOut(node, i, sends));
      var known = quick(fanOut.targets(), sends.size());
      for (var send : sends) {
        declared(node.name(), send.target().name(), known);
        send(node.name(), node.name(), send);
      }
    }
  }

  private List<String> targets(NodeSpec node, int number) {
    var route = node.routes.get(number);
    var chosen = chooser.choose(node.name(), number, route);
    var choice = chosen == null ? ask(node, () -> route.router().route(state)) : chosen;
    boolean isLabels = chosen == null && !route.labels().isEmpty();
    if (reasons != null) {
      reasons.add(new RoutingReason.Routed(node, number, choice, isLabels, chosen != null));
    }
    return isLabels ? choice.stream().map(route::target).toList() : choice;
  }

  private void activate(String from, String target, Activation because) {
    if (!target.equals(Topology.END)) activate(executionGraph.plain(from, target), because);
  }

  /// The recorded reasons; none if nobody asked for them.
  List<RoutingReason> reasons() {
    return reasons == null ? List.of() : reasons;
  }

  private void activate(NodeSpec node, Activation because) {
    // The tokens of a trigger must be consumed although an edge leads to the node, too.
    boolean takes = because instanceof Activation.Triggered;
    if (takes || plain.get(node.index()) == null) plain.put(node.index(), node.due(because));
  }

  private void send(String who, String from, Send<?> send) {
    var node = executionGraph.sendable(who, send);
    var timeout = send.timeout().orElse(null);
    sending().add(new PendingTask(node, new Activation.Sent(from), send.argument(), timeout));
  }

  /// Targets in which so many are looked up.
  private static Collection<String> quick(List<String> targets, int lookups) {
    return lookups <= FEW || targets.size() <= FEW ? targets : new LinkedHashSet<>(targets);
  }

  private void declared(String from, String target, Collection<String> targets) {
    if (targets.contains(target)) return;
    var near =
        NameSuggestion.nearest(target, targets).map(n -> " Did you mean `" + n + "`?").orElse("");
    throw new UnknownTarget(
        from, target, "it is not among the declared targets " + targets + ". Add it there." + near);
  }

  private <T> List<T> ask(NodeSpec node, Supplier<List<T>> router) {
    try {
      return List.copyOf(router.get());
    } catch (Throwable e) {
      FatalErrors.rethrow(e);
      throw new RouterFailed(node.name(), e);
    }
  }
}
