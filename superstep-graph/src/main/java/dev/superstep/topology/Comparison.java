package dev.superstep.topology;

import dev.superstep.topology.Topology.ChannelShape;
import dev.superstep.topology.Topology.EdgeShape;
import dev.superstep.topology.Topology.NodeShape;
import dev.superstep.topology.TopologyDiff.Change;
import dev.superstep.topology.TopologyDiff.Detail;
import dev.superstep.topology.TopologyDiff.Part;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Finds what differs between two topologies.
final class Comparison {
  private final List<Change> changes;
  private final List<String> path;

  private Comparison(List<Change> changes, List<String> path) {
    this.changes = changes;
    this.path = path;
  }

  static List<Change> of(Topology before, Topology after) {
    Levels.check(before);
    Levels.check(after);
    var changes = new ArrayList<Change>();
    new Comparison(changes, List.of()).compare(before, after);
    return changes;
  }

  private void compare(Topology before, Topology after) {
    var graph = new Details().add("name", before.graph(), after.graph());
    int place = changes.size();
    channels(before, after, graph);
    nodes(before, after, graph);
    edges(before, after, graph);
    if (graph.found.isEmpty()) return;
    changes.add(place, new Change.Altered(path, Part.GRAPH, before.graph(), graph.found));
  }

  private void channels(Topology before, Topology after, Details graph) {
    var paired = MatchedLists.of(before.channels(), after.channels(), ChannelShape::name);
    unpaired(paired, Part.CHANNEL, ChannelShape::name, c -> c.kind() + " of " + c.type());
    for (var pair : paired.both()) {
      var was = pair.before();
      var is = pair.after();
      altered(
          Part.CHANNEL,
          was.name(),
          new Details()
              .add("kind", was.kind(), is.kind())
              .add("type", was.type(), is.type())
              .types("channel " + was.name(), before, after)
              .types("write to " + was.name(), before, after));
    }
    if (paired.moved()) {
      graph.add("order of channels", paired.earlier(), paired.later(), ChannelShape::name);
    }
  }

  private void nodes(Topology before, Topology after, Details graph) {
    var paired = MatchedLists.of(before.nodes(), after.nodes(), NodeShape::name);
    unpaired(paired, Part.NODE, NodeShape::name, Comparison::words);
    for (var pair : paired.both()) {
      var was = pair.before();
      var is = pair.after();
      var found =
          new Details()
              .add("argument", was.argument(), is.argument())
              .types("argument of " + was.name(), before, after)
              .add("deferred", yes(was.deferred()), yes(is.deferred()))
              .add("gate", was.gate(), is.gate(), Function.identity());
      boolean graphs = was.inside().isPresent() && is.inside().isPresent();
      if (!graphs) found.add("inside", inside(was), inside(is));
      altered(Part.NODE, was.name(), found);
      if (graphs) within(was.name()).compare(was.inside().get(), is.inside().get());
    }
    if (paired.moved()) {
      graph.add("order of nodes", paired.earlier(), paired.later(), NodeShape::name);
    }
  }

  /// Compares edges. Equal ones are set aside; of the rest, edges between the same ends are treated
  /// as one changed edge.
  private void edges(Topology before, Topology after, Details graph) {
    var same = MatchedLists.<EdgeShape>of(before.edges(), after.edges(), edge -> edge);
    var rest =
        MatchedLists.<EdgeShape>of(
            same.removed(), same.added(), edge -> List.of(edge.from(), edge.to()));
    unpaired(rest, Part.EDGE, Comparison::ends, Comparison::words);
    for (var pair : rest.both()) {
      var was = pair.before();
      var is = pair.after();
      var found =
          new Details()
              .add("kind", kind(was), kind(is))
              .add("label", was.label(), is.label())
              .add("needs", needs(was), needs(is));
      altered(Part.EDGE, ends(was), found);
    }
    if (same.moved()) {
      graph.add("order of edges", same.earlier(), same.later(), Comparison::ends);
    }
  }

  private Comparison within(String node) {
    return new Comparison(changes, Stream.concat(path.stream(), Stream.of(node)).toList());
  }

  private <T> void unpaired(
      MatchedLists<T> paired, Part part, Function<T, String> name, Function<T, String> words) {
    for (var one : paired.removed()) {
      changes.add(new Change.Removed(path, part, name.apply(one), words.apply(one)));
    }
    for (var one : paired.added()) {
      changes.add(new Change.Added(path, part, name.apply(one), words.apply(one)));
    }
  }

  private void altered(Part part, String name, Details details) {
    if (details.found.isEmpty()) return;
    changes.add(new Change.Altered(path, part, name, details.found));
  }

  private static String words(NodeShape node) {
    var words = new ArrayList<String>();
    if (!node.argument().isEmpty()) words.add("argument " + node.argument());
    if (node.deferred()) words.add("deferred");
    if (!node.gate().isEmpty()) words.add("gate " + String.join(", ", node.gate()));
    node.inside().ifPresent(graph -> words.add("inside graph " + graph.graph()));
    return String.join("; ", words);
  }

  private static String words(EdgeShape edge) {
    return kind(edge)
        + (edge.label().isEmpty() ? "" : "; label " + edge.label())
        + (edge.needs() == 0 ? "" : "; needs " + edge.needs());
  }

  private static String ends(EdgeShape edge) {
    return edge.from().stream().map(Comparison::end).collect(Collectors.joining(" + "))
        + " -> "
        + end(edge.to());
  }

  private static String end(String node) {
    return switch (node) {
      case Topology.START -> "START";
      case Topology.END -> "END";
      default -> node;
    };
  }

  private static String kind(EdgeShape edge) {
    return edge.kind().name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  private static String needs(EdgeShape edge) {
    return edge.needs() == 0 ? "" : String.valueOf(edge.needs());
  }

  private static String inside(NodeShape node) {
    return node.inside().map(graph -> "graph " + graph.graph()).orElse("");
  }

  private static String yes(boolean is) {
    return is ? "yes" : "no";
  }

  /// The properties that differ.
  private static final class Details {
    private final List<Detail> found = new ArrayList<>();

    Details add(String property, String before, String after) {
      if (!before.equals(after)) found.add(new Detail(property, word(before), word(after)));
      return this;
    }

    /// Compares the shape of a type, if both topologies contain it.
    Details types(String what, Topology before, Topology after) {
      if (before.types().isEmpty() || after.types().isEmpty()) return this;
      var was = before.types().get().getOrDefault(what, "");
      return add("record", was, after.types().get().getOrDefault(what, ""));
    }

    /// Compares lists, not their names in one line: a name may hold a comma.
    <T> Details add(String property, List<T> before, List<T> after, Function<T, String> name) {
      if (before.equals(after)) return this;
      found.add(new Detail(property, word(names(before, name)), word(names(after, name))));
      return this;
    }

    private static <T> String names(List<T> list, Function<T, String> name) {
      return list.stream().map(name).collect(Collectors.joining(", "));
    }

    private static String word(String value) {
      return value.isEmpty() ? "none" : value;
    }
  }
}
