package dev.superstep.testkit;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// A random program: nodes with edges to later ones, routes and fan-outs that depend on the state,
/// joins, graphs inside nodes, failures that are handled, and loops that end. [RandomProgram] makes
/// a graph of it.
record RandomGraph(List<Part> parts, List<Join> joins) {
  private static final int DEPTH_MAX = 2;

  enum Form {
    EDGES,
    ROUTE,
    SOME,
    FAN_OUT,
    LOOP,
    COMMAND,
    /// A command beside an edge, now and then.
    ADDED
  }

  /// What is said of when a node runs.
  enum Timing {
    PLAIN,
    DEFERRED,
    GATED
  }

  /// What is done about a node that fails, if it does.
  enum Fault {
    NONE,
    SKIP,
    FALLBACK,
    ROUTE
  }

  /// A node and what follows it.
  ///
  /// @param to later nodes, or the number of nodes for END
  /// @param inside the graph that it is, if it is one
  record Part(
      Form form,
      Set<Integer> to,
      int width,
      boolean overwrites,
      Fault fault,
      Timing timing,
      Optional<RandomGraph> inside) {}

  /// @param needs how many of the sources it waits for
  record Join(List<Integer> from, int needs, int to) {}

  static RandomGraph draw(Choices choices) {
    return draw(choices, 0);
  }

  private static RandomGraph draw(Choices choices, int depth) {
    int nodes = choices.between(1, depth == 0 ? 8 : 4);
    var parts = new ArrayList<Part>();
    for (int i = 0; i < nodes; i++) parts.add(part(choices, i, nodes, depth));
    var joins = new LinkedHashSet<Join>();
    if (nodes > 2) {
      for (int many = choices.below(3); many > 0; many--) {
        int to = choices.between(2, nodes - 1);
        int b = choices.between(1, to - 1);
        var from = new TreeSet<>(List.of(choices.below(b), b));
        if (choices.chance(30)) from.add(choices.below(to));
        int needs = choices.chance(40) ? choices.between(1, from.size()) : from.size();
        joins.add(new Join(List.copyOf(from), needs, to));
      }
    }
    return new RandomGraph(parts, List.copyOf(joins));
  }

  private static Part part(Choices choices, int i, int nodes, int depth) {
    var to = new TreeSet<Integer>();
    to.add(choices.between(i + 1, nodes));
    to.addAll(choices.list(2, c -> c.between(i + 1, nodes)));
    var form = choices.of(Form.values());
    int width = choices.below(6);
    boolean overwrites = choices.below(40) == 39;
    var timing = choices.chance(30) ? choices.of(Timing.values()) : Timing.PLAIN;
    // A command cannot be skipped, and a loop must come to count its rounds.
    boolean skippable = form != Form.COMMAND && form != Form.LOOP;
    if (timing == Timing.GATED && !skippable) timing = Timing.PLAIN;
    if (depth < DEPTH_MAX && form != Form.COMMAND && choices.chance(15)) {
      var inside = Optional.of(draw(choices, depth + 1));
      return new Part(form, to, width, overwrites, Fault.NONE, timing, inside);
    }
    var fault = choices.chance(25) ? choices.of(Fault.values()) : Fault.NONE;
    // Without its command nothing would follow it.
    if (form == Form.COMMAND && fault != Fault.NONE) fault = Fault.ROUTE;
    return new Part(form, to, width, overwrites, fault, timing, Optional.empty());
  }
}
