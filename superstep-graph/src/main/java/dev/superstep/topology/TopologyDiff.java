package dev.superstep.topology;

import java.util.List;
import java.util.stream.Collectors;

/// The differences between two shapes of a graph, for a person who has to know why a thread that
/// one saved cannot continue with the other. Empty exactly if the topologies are equal, and with
/// that their hashes; but types are compared only if both topologies contain them. Immutable.
public record TopologyDiff(List<Change> changes) {
  public TopologyDiff {
    changes = List.copyOf(changes);
  }

  /// A kind of thing in a topology.
  public enum Part {
    GRAPH,
    CHANNEL,
    NODE,
    EDGE
  }

  /// A difference.
  public sealed interface Change {
    /// The nodes, outermost first, that hold the graph in which it is; empty for the outermost.
    List<String> path();

    Part part();

    /// The name; for edges both ends, as in `a + b -> END`.
    String name();

    /// An element that only the later topology has.
    ///
    /// @param what the rest of it in words, or empty
    record Added(List<String> path, Part part, String name, String what) implements Change {
      public Added {
        path = List.copyOf(path);
      }
    }

    /// An element that only the earlier topology has.
    ///
    /// @param what the rest of it in words, or empty
    record Removed(List<String> path, Part part, String name, String what) implements Change {
      public Removed {
        path = List.copyOf(path);
      }
    }

    /// An element that both have, but that is not the same in both.
    record Altered(List<String> path, Part part, String name, List<Detail> details)
        implements Change {
      public Altered {
        path = List.copyOf(path);
        details = List.copyOf(details);
      }
    }
  }

  /// A property of one thing that differs.
  ///
  /// @param property `type`, `kind`, `record`, `argument`, `deferred`, `gate`, `inside`, `label`,
  ///   `needs`, `name`, or `order of nodes`, `order of channels`, `order of edges`
  /// @param before `none` if it was absent
  /// @param after `none` if it is absent
  public record Detail(String property, String before, String after) {}

  /// Compares two topologies, with their subgraphs.
  ///
  /// @throws TopologyTooDeep if graphs are nested too deep
  public static TopologyDiff between(Topology before, Topology after) {
    return new TopologyDiff(Comparison.of(before, after));
  }

  /// Returns whether the topologies are equal.
  public boolean isEmpty() {
    return changes.isEmpty();
  }

  /// A line for each change, with `+` for what was added, `-` for what was removed and `~` for what
  /// changed; empty if nothing did.
  public String text() {
    return changes.stream().map(change -> line(change) + "\n").collect(Collectors.joining());
  }

  private static String line(Change change) {
    return switch (change) {
      case Change.Added(_, _, _, var what) -> "+ " + subject(change) + rest(what);
      case Change.Removed(_, _, _, var what) -> "- " + subject(change) + rest(what);
      case Change.Altered(_, _, _, var details) ->
          "~ "
              + subject(change)
              + rest(
                  details.stream()
                      .map(d -> d.property + " " + d.before + " -> " + d.after)
                      .collect(Collectors.joining("; ")));
    };
  }

  private static String subject(Change change) {
    var part =
        switch (change.part()) {
          case GRAPH -> "graph ";
          case CHANNEL -> "channel ";
          case NODE -> "node ";
          case EDGE -> "edge ";
        };
    var path = change.path().stream().map(node -> node + " > ").collect(Collectors.joining());
    return part + Labels.visible(path + change.name());
  }

  private static String rest(String what) {
    return what.isEmpty() ? "" : ": " + Labels.visible(what);
  }
}
