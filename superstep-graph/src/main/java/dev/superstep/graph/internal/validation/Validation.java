package dev.superstep.graph.internal.validation;

import dev.superstep.error.UnknownTarget;
import dev.superstep.graph.internal.kernel.GraphDefinition;
import dev.superstep.graph.internal.kernel.NodeBody;
import dev.superstep.name.NameSuggestion;
import dev.superstep.node.Question;
import dev.superstep.run.Problem;
import dev.superstep.run.ValidationReport;
import dev.superstep.topology.Topology;
import dev.superstep.topology.Topology.EdgeKind;
import dev.superstep.topology.Topology.EdgeShape;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/// Finds everything that is wrong with a graph's definition.
public final class Validation {
  private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9 _.:-]{0,199}");

  /// Names that stand for something else where nodes are named, also in what is stored.
  private static final Set<String> RESERVED =
      Set.of(Topology.START, Topology.END, UnknownTarget.INPUT);

  private static final Set<String> NAMELESS = Set.of("unknown-node", "no-nodes", "no-targets");

  private final GraphDefinition definition;
  private final Diagnostics findings = new Diagnostics();
  private final List<Problem> problems = findings.errors;
  private final Set<String> nodes = new LinkedHashSet<>();
  private final Set<String> sendTargets = new HashSet<>();
  private final List<EdgeShape> edges;

  private Validation(GraphDefinition definition) {
    this.definition = definition;
    this.edges = definition.edgeShapes();
  }

  public static ValidationReport report(GraphDefinition definition) {
    var validation = new Validation(definition);
    validation.check();
    return new ValidationReport(validation.findings.errors, validation.findings.warnings);
  }

  private void check() {
    names();
    deferred();
    gates();
    problems.addAll(definition.problems);
    edges.forEach(this::edge);
    duplicates();
    mixedRouting();
    routes();
    PolicyCheck.check(definition, problems);
    SubgraphCheck.check(definition, problems);
    breakpoints();
    TriggerCheck.check(definition, problems);
    AccessCheck.check(definition, problems);
    // With names missing, a search for paths would only repeat that.
    if (problems.stream().anyMatch(p -> NAMELESS.contains(p.code()))) return;
    paths();
    CycleCheck.check(nodes, edges, definition.cycles, findings);
    StarvingJoins.check(definition, edges, findings);
  }

  private void names() {
    unique("channel", definition.channels.stream().map(c -> c.name()).toList());
    questions();
    unique("node", definition.nodes.stream().map(GraphDefinition.NodePart::name).toList());
    for (var node : definition.nodes) {
      if (RESERVED.contains(node.name()) || !NAME.matcher(node.name()).matches()) {
        add(
            "bad-name",
            "node name `"
                + node.name()
                + "` is reserved, or does not start with a letter or `_` and hold at most 200"
                + " letters, digits, spaces, `_`, `-`, `.` or `:`");
      }
      nodes.add(node.name());
      if (node.body() instanceof NodeBody.OnArgument<?>) sendTargets.add(node.name());
    }
    if (nodes.isEmpty()) add("no-nodes", "there is no node; add one with `node(name, ...)`");
  }

  /// Checks the names of questions. The same constant may be declared in the graph and inside it;
  /// two questions of one name may not.
  private void questions() {
    var own = definition.questions.stream().map(Question::name).toList();
    unique("question", own);
    if (Set.copyOf(own).size() < own.size()) return;
    unique("question", definition.allQuestions().stream().distinct().map(Question::name).toList());
  }

  private void deferred() {
    for (var name : definition.deferred) known(name, () -> "deferred(" + name + ")");
  }

  private void breakpoints() {
    for (var node : definition.breakpoints.nodes()) {
      if (nodes.contains(node)) continue;
      add(
          "unknown-pause",
          "the graph is to pause at node `"
              + node
              + "`, which it does not have"
              + suggestion(node));
    }
  }

  private void gates() {
    for (var name : definition.gates.keySet())
      known(name, () -> "runWhenChanged(" + name + ", ...)");
    GateCheck.check(definition, sendTargets, problems);
  }

  private void unique(String what, Collection<String> names) {
    var seen = new HashSet<String>();
    var told = new HashSet<String>();
    for (var name : names) {
      if (!seen.add(name) && told.add(name)) {
        add("duplicate-" + what, "there are two " + what + "s named `" + name + "`");
      }
    }
  }

  private void edge(EdgeShape edge) {
    for (var from : sources(edge)) {
      if (from.equals(Topology.END)) add("edge-from-end", "nothing may follow END: " + show(edge));
      else if (!from.equals(Topology.START)) known(from, () -> show(edge));
    }
    if (edge.to().equals(Topology.START)) {
      add("edge-to-start", "nothing may lead to START: " + show(edge));
    } else if (!edge.to().equals(Topology.END)) {
      if (known(edge.to(), () -> show(edge))) sent(edge);
    }
    if (edge.kind() == EdgeKind.JOINED) join(edge);
    if (isCommand(edge.kind()) && edge.from().contains(Topology.START)) {
      add("command-from-start", "START returns no command; use an edge or a route");
    }
  }

  /// The nodes from which an edge leads; a trigger has channels there.
  private static List<String> sources(EdgeShape edge) {
    return edge.kind() == EdgeKind.TRIGGERED ? List.of() : edge.from();
  }

  private void join(EdgeShape edge) {
    if (edge.from().size() < 2) add("small-join", "a join needs two sources: " + show(edge));
    if (edge.from().contains(Topology.START))
      add("join-from-start", "START always ran: " + show(edge));
    if (Set.copyOf(edge.from()).size() < edge.from().size()) {
      add("duplicate-join-source", "a join names a source twice: " + show(edge));
    }
    if (edge.needs() > edge.from().size()) {
      add(
          "join-needs-too-many",
          "a join needs "
              + edge.needs()
              + " of its "
              + edge.from().size()
              + " sources, so it could never fire: "
              + show(edge));
    }
  }

  private static boolean isCommand(EdgeKind kind) {
    return kind == EdgeKind.COMMANDED || kind == EdgeKind.ADDED;
  }

  private boolean known(String name, Supplier<String> where) {
    if (nodes.contains(name)) return true;
    add("unknown-node", "there is no node `" + name + "`: " + where.get() + suggestion(name));
    return false;
  }

  private void sent(EdgeShape edge) {
    boolean takesArgument = sendTargets.contains(edge.to());
    if (edge.kind() == EdgeKind.SENT && !takesArgument) {
      add("takes-no-argument", "node `" + edge.to() + "` is sent arguments but takes none");
    } else if (takesArgument && !mayCarryArgument(edge.kind())) {
      add(
          "needs-argument",
          "node `"
              + edge.to()
              + "` must be sent an argument, so no edge may lead to it: "
              + show(edge));
    }
  }

  private static boolean mayCarryArgument(EdgeKind kind) {
    return switch (kind) {
      case SENT, COMMANDED, ADDED, FAILED, HANDED_OFF -> true;
      case DIRECT, ROUTED, JOINED, TRIGGERED -> false;
    };
  }

  private void duplicates() {
    // Lists of their parts: the hash of a record is bound when first asked for, 20 ms of a start.
    var seen = new HashSet<List<?>>();
    for (var edge : edges) {
      if (edge.kind() == EdgeKind.TRIGGERED) continue;
      var parts = List.of(edge.kind(), edge.from(), edge.to(), edge.label(), edge.needs());
      if (!seen.add(parts)) add("duplicate-edge", "an edge is there twice: " + show(edge));
    }
  }

  private void routes() {
    for (var route : definition.routes) {
      if (route.targets().isEmpty()) noTargets(route.from());
      if (route.one() && route.targets().size() == 1) {
        var edge = EdgeShape.of(EdgeKind.ROUTED, route.from(), route.targets().getFirst());
        findings.warning(
            "lone-target", "a router has nothing to choose from: " + show(edge) + "; use an edge");
      }
    }
    for (var fanOut : definition.fanOuts) if (fanOut.targets().isEmpty()) noTargets(fanOut.from());
  }

  private void noTargets(String from) {
    add(
        "no-targets",
        "the router after "
            + (from.equals(Topology.START) ? "START" : "`" + from + "`")
            + " has no targets; name all that it may choose");
  }

  private void mixedRouting() {
    var commanding = new HashSet<String>();
    for (var edge : edges) {
      if (edge.kind() == EdgeKind.COMMANDED) commanding.addAll(edge.from());
    }
    var told = new HashSet<String>();
    for (var edge : edges) {
      if (mayGoWithCommands(edge.kind())) continue;
      var from = edge.from().getFirst();
      if (from.equals(Topology.START)) continue;
      if (!commanding.contains(from) || !told.add(from)) continue;
      add(
          "mixed-routing",
          "node `"
              + from
              + (edge.kind() == EdgeKind.ADDED
                  ? "` has both kinds of destinations for its commands; keep one"
                  : "` has both destinations for its commands and edges of its own;"
                      + " keep one, or declare `additiveDestinations`"));
    }
  }

  private static boolean mayGoWithCommands(EdgeKind kind) {
    return switch (kind) {
      case COMMANDED, JOINED, FAILED, HANDED_OFF, TRIGGERED -> true;
      case DIRECT, ROUTED, SENT, ADDED -> false;
    };
  }

  private void paths() {
    var forward = new HashMap<String, Set<String>>();
    var backward = new HashMap<String, Set<String>>();
    for (var edge : edges) {
      for (var from : sources(edge)) {
        forward.computeIfAbsent(from, _ -> new LinkedHashSet<>()).add(edge.to());
        // A path that only failures take is none.
        if (edge.kind() == EdgeKind.FAILED) continue;
        backward.computeIfAbsent(edge.to(), _ -> new LinkedHashSet<>()).add(from);
      }
    }
    if (!definition.triggers.isEmpty()) triggered(forward, backward);
    if (!forward.containsKey(Topology.START)) {
      add("no-entry", "nothing follows START; add `edge(START, ...)`");
      return;
    }
    var reached = reach(Topology.START, forward);
    var ending = reach(Topology.END, backward);
    for (var node : nodes) {
      if (!reached.contains(node)) {
        add("unreachable", "no path leads from START to node `" + node + "`");
      } else if (!ending.contains(node)) {
        add("no-exit", "no path leads from node `" + node + "` to END; " + exit(node, forward));
      }
    }
  }

  /// The remedy for a node that leads nowhere. Mostly it returns commands, and nobody said so.
  private static String exit(String node, Map<String, Set<String>> forward) {
    return forward.containsKey(node)
        ? "add `edge(..., END)`"
        : "add `edge(\"%s\", END)`, or `destinations(\"%s\", ...)` if it returns commands"
            .formatted(node, node);
  }

  /// Who writes a token is not known: it may be the input or any node. So a triggered node can
  /// always be reached, and a node without edges leads on by what it writes, or ends the run.
  private void triggered(Map<String, Set<String>> forward, Map<String, Set<String>> backward) {
    for (var trigger : definition.triggers) {
      forward.computeIfAbsent(Topology.START, _ -> new LinkedHashSet<>()).add(trigger.node());
    }
    var leading = new HashSet<String>();
    for (var edge : edges) if (edge.kind() != EdgeKind.FAILED) leading.addAll(sources(edge));
    for (var node : nodes) {
      if (leading.contains(node)) continue;
      backward.computeIfAbsent(Topology.END, _ -> new LinkedHashSet<>()).add(node);
    }
  }

  private static Set<String> reach(String from, Map<String, Set<String>> steps) {
    var seen = new HashSet<String>();
    var todo = new ArrayDeque<>(List.of(from));
    while (!todo.isEmpty()) {
      for (var next : steps.getOrDefault(todo.remove(), Set.of())) {
        if (seen.add(next)) todo.add(next);
      }
    }
    return seen;
  }

  private String suggestion(String name) {
    return NameSuggestion.nearest(name, nodes)
        .map(near -> ". Did you mean `" + near + "`?")
        .orElse("");
  }

  static String show(EdgeShape edge) {
    return String.join("+", edge.from()).replace("__start__", "START").replace("__end__", "END")
        + " -> "
        + edge.to().replace("__start__", "START").replace("__end__", "END");
  }

  private void add(String code, String message) {
    problems.add(new Problem(code, message));
  }
}
