package dev.superstep.language.check;

import dev.superstep.language.Diagnostic;
import dev.superstep.language.blueprint.Edge;
import dev.superstep.language.blueprint.Items;
import dev.superstep.language.blueprint.NodeBlueprint;
import dev.superstep.language.blueprint.Value;
import dev.superstep.language.rag.Item;
import dev.superstep.language.rag.RagCode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Checks that each node can be reached and can reach the end, and that joins do not starve. Says
/// nothing of a graph in which something leads nowhere by mistake. Nodes are numbers here: START is
/// 0, END is 1.
final class PathCheck {
  private static final int START = 0;
  private static final int END = 1;

  /// A bound on the search for starving joins, which looks from each router at each join.
  private static final long STEPS_MAX = 5_000_000;

  private final Checked graph;
  private final Map<String, Integer> numbers = new HashMap<>();
  private final List<NodeBlueprint> nodes;
  private final List<Set<Integer>> forward = new ArrayList<>();
  private final Set<Integer> leading = new HashSet<>();
  private long steps;

  PathCheck(Checked graph) {
    this.graph = graph;
    this.nodes = List.copyOf(graph.nodes().values());
    numbers.put(Edge.END, END);
    for (int i = 0; i < nodes.size(); i++) numbers.put(nodes.get(i).name(), i + 2);
    for (int i = 0; i < nodes.size() + 2; i++) forward.add(new HashSet<>());
  }

  /// Returns the nodes that nothing leads to.
  Set<String> check() {
    var unreached = new LinkedHashSet<String>();
    if (nodes.isEmpty() || graph.isBroken()) return unreached;
    connect();
    var reached = reach(START, -1, forward);
    boolean hasEntry = !forward.get(START).isEmpty();
    var ending = reach(END, -1, backward());
    for (int i = 0; i < nodes.size(); i++) {
      var path = "node/" + nodes.get(i).name();
      if (hasEntry && !reached.get(i + 2)) {
        unreached.add(nodes.get(i).name());
        deadEnd(
            RagCode.UNREACHABLE_NODE,
            path,
            "nothing leads to node " + Checked.show(nodes.get(i).name()),
            "add an edge to it, or remove it");
      } else if (!ending.get(i + 2)) {
        deadEnd(
            RagCode.NO_PATH_TO_END,
            path,
            "no path leads from node " + Checked.show(nodes.get(i).name()) + " to END",
            "give one of the nodes after it a way to END");
      }
    }
    starving(reached);
    return unreached;
  }

  /// Reports a node as severely as the host says.
  private void deadEnd(RagCode code, String path, String message, String help) {
    var found = graph.at(code, path, message);
    var severity = graph.policy.deadEnds();
    graph.add(Diagnostic.of(severity, found.code(), found.span(), message).help(help));
  }

  private void connect() {
    leads(START, graph.blueprint.start(), Set.of());
    for (int i = 0; i < nodes.size(); i++) {
      var node = nodes.get(i);
      leads(i + 2, node.items(), node.targets());
      node.onFailure().flatMap(Value.OnFailure::to).ifPresent(to -> link(number(node), to));
      node.sources().ifPresent(sources -> sources.nodes().forEach(from -> lead(from, node.name())));
    }
    graph
        .blueprint
        .nodeDefaults()
        .find(Item.ON_FAILURE, Value.OnFailure.class)
        .flatMap(Value.OnFailure::to)
        .ifPresent(to -> {
          for (var node : nodes) link(number(node), to);
        });
    for (var edge : graph.blueprint.edges()) {
      switch (edge) {
        case Edge.Direct(var from, var to) -> lead(from, to);
        case Edge.Join(_, var from, var to) -> from.forEach(source -> lead(source, to));
        case Edge.Trigger(_, var to) -> link(START, to);
      }
    }
    for (int i = 0; i < nodes.size(); i++) {
      if (!leading.contains(i + 2)) forward.get(i + 2).add(END);
    }
  }

  /// Adds what items lead to. A node that only sends, or only hands off, ends its path, too.
  private void leads(int from, Items items, java.util.Collection<String> targets) {
    if (from == START) {
      var start = new NodeBlueprint("start", items);
      start.targets().forEach(to -> link(START, to));
      return;
    }
    targets.forEach(to -> link(from, to));
    boolean isRouted =
        items.has(Item.ROUTES)
            || items.has(Item.NEXT)
            || items.has(Item.DESTINATIONS)
            || items
                .find(Item.COMMAND, Value.Command.class)
                .filter(c -> c.target().isPresent())
                .isPresent();
    if (isRouted) leading.add(from);
  }

  private int number(NodeBlueprint node) {
    return numbers.getOrDefault(node.name(), END);
  }

  private void lead(String from, String to) {
    var number = numbers.get(from);
    if (number == null || number == END) return;
    leading.add(number);
    link(number, to);
  }

  private void link(int from, String to) {
    var number = numbers.get(to);
    if (number != null) forward.get(from).add(number);
  }

  private List<Set<Integer>> backward() {
    var backward = new ArrayList<Set<Integer>>();
    for (int i = 0; i < forward.size(); i++) backward.add(new HashSet<>());
    for (int from = 0; from < forward.size(); from++) {
      for (int to : forward.get(from)) backward.get(to).add(from);
    }
    return backward;
  }

  /// The nodes that can be reached from one, itself included, without passing another.
  private BitSet reach(int from, int without, List<Set<Integer>> steps) {
    var seen = new BitSet();
    var open = new int[forward.size()];
    int count = 0;
    seen.set(from);
    open[count++] = from;
    while (count > 0) {
      this.steps++;
      for (int next : steps.get(open[--count])) {
        if (next == without || seen.get(next)) continue;
        seen.set(next);
        open[count++] = next;
      }
    }
    return seen;
  }

  private record Waiting(String path, List<Integer> sources) {}

  private void starving(BitSet reached) {
    var joins = joins();
    if (joins.isEmpty()) return;
    var told = new HashSet<String>();
    for (var join : joins) unreached(join, reached, told);
    for (var node : nodes) {
      var targets = choices(node);
      if (targets.length < 2 || steps > STEPS_MAX) continue;
      var behind = new BitSet[targets.length];
      for (int i = 0; i < targets.length; i++) {
        behind[i] =
            targets[i] == number(node) ? new BitSet() : reach(targets[i], number(node), forward);
      }
      for (var join : joins) {
        if (told.contains(join.path()) || !starves(join, behind)) continue;
        told.add(join.path());
        graph.add(
            graph
                .at(
                    RagCode.STARVING_JOIN,
                    join.path(),
                    "the join may starve: a choice decides which of its sources run")
                .also(graph.places().find("node/" + node.name()), "chooses one path")
                .help("join behind the choice, or wait for `any` of them"));
      }
    }
  }

  private List<Waiting> joins() {
    var joins = new ArrayList<Waiting>();
    var edges = graph.blueprint.edges();
    for (int i = 0; i < edges.size(); i++) {
      if (edges.get(i) instanceof Edge.Join(var needs, var from, _)) {
        add(joins, "edge/" + i, needs, from);
      }
    }
    for (var node : nodes) {
      node.sources()
          .ifPresent(s -> add(joins, "node/" + node.name() + "/sources", s.needs(), s.nodes()));
    }
    return joins;
  }

  private void add(List<Waiting> joins, String path, int needs, List<String> from) {
    if (needs != 0 && needs != from.size()) return;
    var sources = from.stream().filter(numbers::containsKey).map(numbers::get).distinct().toList();
    if (sources.size() > 1) joins.add(new Waiting(path, sources));
  }

  private void unreached(Waiting join, BitSet reached, Set<String> told) {
    for (int source : join.sources()) {
      if (reached.get(source) || source == END) continue;
      told.add(join.path());
      graph.report(
          RagCode.STARVING_JOIN,
          join.path(),
          "the join starves: nothing leads to its source "
              + Checked.show(nodes.get(source - 2).name()),
          "add an edge to that node, or remove it from the join");
      return;
    }
  }

  /// The nodes of which a node chooses one.
  private int[] choices(NodeBlueprint node) {
    var names = new ArrayList<String>();
    if (node.router().filter(Value.Router::isMany).isEmpty()) {
      node.routes().forEach(route -> names.add(route.to()));
    }
    names.addAll(node.items().texts(Item.DESTINATIONS));
    return names.stream().filter(numbers::containsKey).mapToInt(numbers::get).distinct().toArray();
  }

  /// Returns whether one choice runs some source of a join but not all that the others run.
  private static boolean starves(Waiting join, BitSet[] behind) {
    var sources = new BitSet();
    for (int source : join.sources()) sources.set(source);
    var all = new BitSet();
    for (var each : behind) all.or(each);
    all.and(sources);
    if (all.isEmpty()) return false;
    boolean hasOthers = all.cardinality() < sources.cardinality();
    return Arrays.stream(behind)
        .anyMatch(each -> {
          var some = (BitSet) each.clone();
          some.and(sources);
          return !some.equals(all) && (hasOthers || !some.isEmpty());
        });
  }
}
