package dev.superstep.graph.internal.publish;

import dev.superstep.checkpoint.Activation;
import dev.superstep.event.EdgeDecision;
import dev.superstep.event.NodeDecision;
import dev.superstep.event.NodeDecision.Verdict;
import dev.superstep.graph.internal.kernel.CompiledGraph;
import dev.superstep.graph.internal.kernel.Kernel;
import dev.superstep.graph.internal.kernel.NodeSpec;
import dev.superstep.graph.internal.kernel.PendingTask;
import dev.superstep.graph.internal.kernel.RoutingReason;
import dev.superstep.graph.internal.kernel.Superstep;
import dev.superstep.graph.internal.kernel.Task;
import dev.superstep.node.OnFailure;
import dev.superstep.run.Input;
import dev.superstep.topology.Topology;
import dev.superstep.topology.Topology.EdgeKind;
import dev.superstep.topology.Topology.EdgeShape;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The routing of one superstep for people: puts into words the reasons that the kernel recorded,
/// and decides nothing. Pure.
public final class RoutingExplainer {
  private static final String HELD = "is deferred and waits until nothing else is due";

  private final CompiledGraph graph;
  private final Set<String> held = new LinkedHashSet<>();
  private final Map<NodeDecision, Integer> nodes = new LinkedHashMap<>();

  /// In place of what a join needs, the keys of routed and sent edges hold the router's number.
  private final Map<EdgeShape, EdgeDecision> edges = new LinkedHashMap<>();

  private RoutingExplainer(CompiledGraph graph, Kernel.Applied applied) {
    this.graph = graph;
    for (var due : applied.next().position().deferred()) held.add(due.node().name());
    edges(applied.reasons());
  }

  /// Explains what follows an input.
  ///
  /// @param applied what was made of it, with reasons
  public static RoutingExplainer input(CompiledGraph graph, Kernel.Applied applied) {
    return new RoutingExplainer(graph, applied);
  }

  /// Explains what follows a superstep.
  ///
  /// @param applied what was made of it, with reasons
  public static RoutingExplainer superstep(
      CompiledGraph graph, Superstep step, Kernel.Applied applied) {
    var explainer = new RoutingExplainer(graph, applied);
    for (var task : step.tasks()) explainer.task(task);
    for (var due : step.at().position().deferred()) {
      explainer.node(due, Verdict.HELD, explainer.because(due) + "; it " + HELD);
    }
    return explainer;
  }

  /// The decisions on the activated nodes, those that ran and those held back.
  List<NodeDecision> nodes() {
    var all = new ArrayList<NodeDecision>(nodes.size());
    nodes.forEach((n, count) -> all.add(new NodeDecision(n.node(), n.verdict(), count, n.why())));
    return all;
  }

  /// The decisions on the edges that could be followed.
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
    var node = graph.executionGraph().node(from);
    var policy = node == null ? null : node.policy();
    return policy != null
        && policy.onFailure() instanceof OnFailure.Route(var target, _)
        && target.name().equals(handler);
  }

  private void edges(List<RoutingReason> reasons) {
    for (var ending : NodeEndings.of(reasons)) {
      if (ending.seed() != null) seed(ending.seed());
      for (var edge : graph.topology().edges()) {
        if (edge.from().getFirst().equals(ending.node().name())) edge(ending, edge);
      }
      routes(ending);
      fanOuts(ending);
    }
    for (var reason : reasons) {
      switch (reason) {
        case RoutingReason.Joined join -> join(join);
        case RoutingReason.Triggered trigger -> trigger(trigger);
        case RoutingReason.OfNode _ -> {}
      }
    }
  }

  private void seed(Input input) {
    for (var name : input.starts()) {
      edge(EdgeShape.of(EdgeKind.COMMANDED, Topology.START, name), true, "the input names it");
    }
    NodeEndings.targets(input.sends())
        .forEach((name, count) -> {
          var shape = EdgeShape.of(EdgeKind.SENT, Topology.START, name);
          edge(shape, true, "the input sends it " + arguments(count));
        });
  }

  private void trigger(RoutingReason.Triggered trigger) {
    var to = trigger.node().name();
    var shape = new EdgeShape(EdgeKind.TRIGGERED, trigger.channels(), to, "", 0);
    if (!trigger.missing().isEmpty()) {
      edge(shape, false, "waits for " + String.join(", ", trigger.missing()));
    } else if (trigger.isReserved()) {
      edge(shape, false, "its tokens belong to a task that waits for an answer");
    } else {
      edge(shape, true, "all its tokens are there");
    }
  }

  /// Explains an edge that depends on the results of its node alone.
  private void edge(NodeEndings endings, EdgeShape edge) {
    switch (edge.kind()) {
      case DIRECT -> {
        boolean taken = endings.isFollowed();
        edge(edge, taken, taken ? "always" : endings.whyNot());
      }
      case COMMANDED, ADDED -> command(endings, edge);
      case HANDED_OFF -> {
        boolean taken =
            endings.named().contains(edge.to()) || endings.sent().containsKey(edge.to());
        var who = taken ? "a node inside" : "nobody inside";
        edge(edge, taken, who + " handed off to it");
      }
      case FAILED -> {
        boolean taken = endings.isFailed();
        edge(edge, taken, taken ? "it failed, and this handles it" : "it did not fail");
      }
      case ROUTED, SENT, JOINED, TRIGGERED -> {}
    }
  }

  private void command(NodeEndings endings, EdgeShape edge) {
    var sent = endings.sent();
    if (endings.named().contains(edge.to())) {
      edge(edge, true, "its command names it");
    } else if (sent.containsKey(edge.to())) {
      edge(edge, true, "its command sends it " + arguments(sent.get(edge.to())));
    } else if (endings.isCommanded()) {
      var named = endings.named();
      named.addAll(sent.keySet());
      edge(edge, false, "its command names " + (named.isEmpty() ? "nothing" : quoted(named)));
    } else {
      edge(edge, false, endings.isFollowed() ? "it returned no command" : endings.whyNot());
    }
  }

  private void routes(NodeEndings endings) {
    var node = endings.node();
    for (int number = 0; number < node.routes.size(); number++) {
      var route = node.routes.get(number);
      var chosen = endings.routed(number);
      var why = chosen == null ? endings.whyNot() : why(chosen);
      for (int i = 0; i < route.targets().size(); i++) {
        var to = route.targets().get(i);
        var label = route.label(i);
        var shape = new EdgeShape(EdgeKind.ROUTED, List.of(node.name()), to, label, number);
        boolean taken = chosen != null && chosen.choice().contains(chosen.isLabels() ? label : to);
        edge(shape, taken, why);
      }
    }
  }

  private static String why(RoutingReason.Routed chosen) {
    var choice = chosen.choice();
    if (chosen.isOverruled()) {
      return "the matrix chose " + quoted(choice) + " in place of the router";
    }
    var what = chosen.isLabels() ? String.join(", ", choice) : quoted(choice);
    return "the router chose " + (what.isEmpty() ? "nothing" : what);
  }

  private void fanOuts(NodeEndings endings) {
    var node = endings.node();
    for (int number = 0; number < node.fanOuts.size(); number++) {
      var sent = NodeEndings.targets(endings.fannedOut(number));
      for (var to : node.fanOuts.get(number).targets()) {
        var shape = new EdgeShape(EdgeKind.SENT, List.of(node.name()), to, "", number);
        int count = sent.getOrDefault(to, 0);
        var why = "the router sends " + (count == 0 ? "nothing" : arguments(count));
        edge(shape, count > 0, endings.isFollowed() ? why : endings.whyNot());
      }
    }
  }

  private void join(RoutingReason.Joined reason) {
    var join = reason.join();
    var from = List.copyOf(join.from());
    var shape = new EdgeShape(EdgeKind.JOINED, from, join.to().name(), "", join.needs());
    int more = join.needs() - reason.arrived().size();
    if (!reason.isOpen()) {
      edge(shape, false, "it has fired already; who comes late is let in");
    } else if (more <= 0) {
      edge(shape, true, met(join, reason.arrived()));
    } else {
      var missing = new LinkedHashSet<>(join.from());
      missing.removeAll(reason.arrived());
      var some = more == missing.size() ? "" : more + " of ";
      edge(shape, false, "waits for " + some + quoted(missing));
    }
  }

  private static String met(NodeSpec.Join join, Set<String> arrived) {
    boolean isAll = arrived.size() == join.from().size();
    var have = quoted(isAll ? join.from() : arrived) + (arrived.size() == 1 ? " has" : " have");
    return have + (isAll ? " finished" : " finished, which is enough");
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
