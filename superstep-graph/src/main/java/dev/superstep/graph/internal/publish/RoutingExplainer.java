package dev.superstep.graph.internal.publish;

import dev.superstep.checkpoint.Activation;
import dev.superstep.event.EdgeDecision;
import dev.superstep.event.NodeDecision;
import dev.superstep.event.NodeDecision.Verdict;
import dev.superstep.graph.internal.kernel.Arrivals;
import dev.superstep.graph.internal.kernel.CompiledGraph;
import dev.superstep.graph.internal.kernel.FatalErrors;
import dev.superstep.graph.internal.kernel.NodeSpec;
import dev.superstep.graph.internal.kernel.PendingTask;
import dev.superstep.graph.internal.kernel.Snapshot;
import dev.superstep.graph.internal.kernel.Superstep;
import dev.superstep.graph.internal.kernel.Task;
import dev.superstep.graph.internal.kernel.TaskResult;
import dev.superstep.graph.internal.kernel.Triggers;
import dev.superstep.node.OnFailure;
import dev.superstep.node.Router;
import dev.superstep.run.Input;
import dev.superstep.topology.Topology;
import dev.superstep.topology.Topology.EdgeKind;
import dev.superstep.topology.Topology.EdgeShape;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Tells why what follows a superstep follows it: what
/// [dev.superstep.graph.internal.kernel.Kernel#apply] decided, once more and slowly, for people.
/// Asks routers again, which are pure, but no matrix: what that chose is in the snapshot. Pure, and
/// for one superstep.
public final class RoutingExplainer {
  private static final String HELD = "is deferred and waits until nothing else is due";

  private final CompiledGraph graph;
  private final Snapshot next;
  private final Set<String> held = new LinkedHashSet<>();
  private final Map<NodeDecision, Integer> nodes = new LinkedHashMap<>();

  /// In place of what a join needs, the keys of routed and sent edges hold the router's number.
  private final Map<EdgeShape, EdgeDecision> edges = new LinkedHashMap<>();

  private RoutingExplainer(CompiledGraph graph, Snapshot next) {
    this.graph = graph;
    this.next = next;
    for (var due : next.position().deferred()) held.add(due.node().name());
  }

  /// Explains what follows an input.
  ///
  /// @param next what input made
  public static RoutingExplainer input(CompiledGraph graph, Input input, Snapshot next) {
    var told = new RoutingExplainer(graph, next);
    var start = graph.wiring().start();
    var came = input.isSeeded() ? NodeEndings.seeded(start) : NodeEndings.started(start);
    told.seeds(input);
    told.follow(Map.of(), List.of(came));
    return told;
  }

  /// Explains what follows a superstep.
  ///
  /// @param next what the superstep made
  public static RoutingExplainer superstep(
      CompiledGraph graph, Superstep step, List<TaskResult.Finished> results, Snapshot next) {
    var told = new RoutingExplainer(graph, next);
    var at = step.at();
    for (var task : step.tasks()) told.task(task);
    for (var due : at.position().deferred()) {
      told.node(due, Verdict.HELD, told.because(due) + "; it " + HELD);
    }
    told.follow(at.position().arrived(), NodeEndings.of(step.tasks(), results));
    return told;
  }

  /// What was due, and what was held back.
  List<NodeDecision> nodes() {
    var all = new ArrayList<NodeDecision>(nodes.size());
    nodes.forEach((n, count) -> all.add(new NodeDecision(n.node(), n.verdict(), count, n.why())));
    return all;
  }

  /// What could follow.
  List<EdgeDecision> edges() {
    return List.copyOf(edges.values());
  }

  private void task(Task task) {
    var due = task.due();
    if (task.isSkipped()) {
      var gate = due.node().gate.stream().map(channel -> channel.name()).toList();
      node(due, Verdict.SKIPPED, "nothing of " + quoted(gate) + " has changed since it last ran");
      return;
    }
    var released = due.node().deferred ? ", and nothing else was due" : "";
    node(due, Verdict.RAN, because(due) + released);
  }

  private void node(PendingTask due, Verdict verdict, String why) {
    nodes.merge(new NodeDecision(due.node().name(), verdict, 1, why), 1, Integer::sum);
  }

  private String because(PendingTask due) {
    return switch (due.activation()) {
      case Activation.Entry() -> "the run starts with it";
      case Activation.Edge(var from) -> "it follows " + quoted(from);
      case Activation.Routed(var from) -> "it was chosen after " + quoted(from);
      case Activation.Joined() -> "enough of the nodes that it waits for have finished";
      case Activation.Triggered(var channels) ->
          "the tokens that it waits for are there: " + quoted(channels);
      case Activation.Commanded(var from) -> "a command of " + quoted(from) + " named it";
      case Activation.Sent(var from) ->
          isHandler(from, due.node().name())
              ? "it handles the failure of " + quoted(from)
              : quoted(from) + " sent it an argument";
      case Activation.Resumed _ -> "its question was answered";
    };
  }

  private boolean isHandler(String from, String handler) {
    var node = graph.wiring().node(from);
    var policy = node == null ? null : node.policy();
    return policy != null
        && policy.onFailure() instanceof OnFailure.Route(var target, _)
        && target.name().equals(handler);
  }

  private void seeds(Input input) {
    for (var name : input.starts()) {
      edge(EdgeShape.of(EdgeKind.COMMANDED, Topology.START, name), true, "the input names it");
    }
    var sent = new LinkedHashMap<String, Integer>();
    for (var send : input.sends()) sent.merge(send.target().name(), 1, Integer::sum);
    sent.forEach((name, count) -> {
      var shape = EdgeShape.of(EdgeKind.SENT, Topology.START, name);
      edge(shape, true, "the input sends it " + arguments(count));
    });
  }

  private void follow(Map<String, Set<String>> arrived, List<NodeEndings> all) {
    for (var came : all) {
      for (var edge : graph.topology().edges()) {
        if (edge.from().getFirst().equals(came.node().name())) edge(came, edge);
      }
      routes(came);
      fanOuts(came);
    }
    joins(arrived, all);
    for (var look : graph.kernel().triggers(next)) trigger(look);
  }

  private void trigger(Triggers.Look look) {
    var shape = new EdgeShape(EdgeKind.TRIGGERED, look.channels(), look.node().name(), "", 0);
    if (!look.missing().isEmpty()) {
      edge(shape, false, "waits for " + String.join(", ", look.missing()));
    } else if (isKept(look)) {
      edge(shape, false, "its tokens belong to a task that waits for an answer");
    } else {
      edge(shape, true, "all its tokens are there");
    }
  }

  /// Whether a task that has asked keeps some of the tokens until it is done.
  private boolean isKept(Triggers.Look look) {
    for (var due : next.position().due()) {
      if (due.node() == look.node()
          && due.activation() instanceof Activation.Resumed(_, var channels)
          && !Collections.disjoint(channels, look.channels())) {
        return true;
      }
    }
    return false;
  }

  /// What needs nobody else to be asked.
  private void edge(NodeEndings came, EdgeShape edge) {
    switch (edge.kind()) {
      case DIRECT -> {
        boolean taken = came.followed() > 0;
        edge(edge, taken, taken ? "always" : came.whyNot());
      }
      case COMMANDED, ADDED -> command(came, edge);
      case HANDED_OFF -> {
        boolean taken = came.named().containsKey(edge.to()) || came.sent().containsKey(edge.to());
        var who = taken ? "a node inside" : "nobody inside";
        edge(edge, taken, who + " handed off to it");
      }
      case FAILED -> {
        boolean taken = came.failed() > 0;
        edge(edge, taken, taken ? "it failed, and this handles it" : "it did not fail");
      }
      case ROUTED, SENT, JOINED, TRIGGERED -> {}
    }
  }

  private void command(NodeEndings came, EdgeShape edge) {
    var sent = came.sent();
    if (came.named().containsKey(edge.to())) {
      edge(edge, true, "its command names it");
    } else if (sent.containsKey(edge.to())) {
      edge(edge, true, "its command sends it " + arguments(sent.get(edge.to())));
    } else if (came.commands()) {
      var named = new LinkedHashSet<>(came.named().keySet());
      named.addAll(sent.keySet());
      edge(edge, false, "its command names " + (named.isEmpty() ? "nothing" : quoted(named)));
    } else {
      edge(edge, false, came.arrives() ? "it returned no command" : came.whyNot());
    }
  }

  private void routes(NodeEndings came) {
    var node = came.node();
    for (int number = 0; number < node.routes.size(); number++) {
      var route = node.routes.get(number);
      var chosen = came.followed() == 0 ? null : chosen(node, number);
      for (int i = 0; i < route.targets().size(); i++) {
        var to = route.targets().get(i);
        var shape =
            new EdgeShape(EdgeKind.ROUTED, List.of(node.name()), to, route.label(i), number);
        if (chosen == null) edge(shape, false, came.whyNot());
        else edge(shape, chosen.matches(to, route.label(i)), chosen.why());
      }
    }
  }

  /// What stands for a router's choice.
  ///
  /// @param what labels, if the router gives them, else targets
  private record Chosen(List<String> what, boolean isLabels, String why) {
    boolean matches(String target, String label) {
      return what.contains(isLabels ? label : target);
    }
  }

  private Chosen chosen(NodeSpec node, int number) {
    // As `MatrixSession` names routers.
    var router = number == 0 ? node.name() : node.name() + "#" + (number + 1);
    var overruled = next.position().marks().chosen().get(router);
    if (overruled != null) {
      var why = "the matrix chose " + quoted(overruled) + " in place of the router";
      return new Chosen(overruled, false, why);
    }
    var route = node.routes.get(number);
    var choice = ask(node, route.router());
    boolean isLabels = !route.labels().isEmpty();
    var what = isLabels ? String.join(", ", choice) : quoted(choice);
    return new Chosen(choice, isLabels, "the router chose " + (what.isEmpty() ? "nothing" : what));
  }

  private void fanOuts(NodeEndings came) {
    var node = came.node();
    for (int number = 0; number < node.fanOuts.size(); number++) {
      var fanOut = node.fanOuts.get(number);
      var sent = new LinkedHashMap<String, Integer>();
      if (came.followed() > 0) {
        for (var send : ask(node, fanOut.router())) {
          sent.merge(send.target().name(), came.followed(), Integer::sum);
        }
      }
      for (var to : fanOut.targets()) {
        var shape = new EdgeShape(EdgeKind.SENT, List.of(node.name()), to, "", number);
        int count = sent.getOrDefault(to, 0);
        var why = "the router sends " + (count == 0 ? "nothing" : arguments(count));
        edge(shape, count > 0, came.followed() > 0 ? why : came.whyNot());
      }
    }
  }

  private <T> List<T> ask(NodeSpec node, Router<List<T>> router) {
    try {
      return List.copyOf(router.route(next));
    } catch (Throwable e) {
      FatalErrors.rethrow(e);
      var why = "the router after " + quoted(node.name()) + " threw only when it was asked again";
      throw new IllegalStateException(why, e);
    }
  }

  private void joins(Map<String, Set<String>> before, List<NodeEndings> all) {
    var arrivals = new Arrivals(before);
    var joins = new LinkedHashSet<NodeSpec.Join>();
    for (var came : all) {
      joins.addAll(came.node().joins);
      if (came.arrives()) arrivals.arrive(came.node());
    }
    if (joins.isEmpty()) return;
    var firing = new LinkedHashSet<>(arrivals.meet());
    for (var join : joins) {
      var from = List.copyOf(join.from());
      var shape = new EdgeShape(EdgeKind.JOINED, from, join.to().name(), "", join.needs());
      var here = arrivals.arrived().get(join.name());
      if (firing.contains(join)) edge(shape, true, met(join, here == null ? join.from() : here));
      else edge(shape, false, notMet(join, here == null ? Set.of() : here, before));
    }
  }

  private static String met(NodeSpec.Join join, Set<String> here) {
    var have = quoted(here) + (here.size() == 1 ? " has" : " have") + " finished";
    return here.size() < join.from().size() ? have + ", which is enough" : have;
  }

  private static String notMet(
      NodeSpec.Join join, Set<String> here, Map<String, Set<String>> before) {
    boolean hadFired = before.getOrDefault(join.name(), Set.of()).size() >= join.needs();
    // A generation that is complete is forgotten.
    if (here.size() >= join.needs() || (hadFired && here.isEmpty())) {
      return "it has fired already; who comes late is let in";
    }
    var missing = new LinkedHashSet<>(join.from());
    missing.removeAll(here);
    int more = join.needs() - here.size();
    return more == missing.size()
        ? "waits for " + quoted(missing)
        : "waits for " + more + " of " + quoted(missing);
  }

  private void edge(EdgeShape shape, boolean taken, String why) {
    var waits = taken && held.contains(shape.to()) ? "; " + quoted(shape.to()) + " " + HELD : "";
    var told = why + waits;
    edges.put(
        shape,
        new EdgeDecision(shape.kind(), shape.from(), shape.to(), shape.label(), taken, told));
  }

  private static String arguments(int count) {
    return count == 1 ? "an argument" : count + " arguments";
  }

  private static String quoted(Collection<String> names) {
    return String.join(", ", names.stream().map(RoutingExplainer::quoted).toList());
  }

  private static String quoted(String name) {
    return switch (name) {
      case Topology.START -> "START";
      case Topology.END -> "END";
      default -> "`" + name + "`";
    };
  }
}
