package dev.superstep.topology;

import static java.util.Collections.unmodifiableMap;
import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.superstep.json.Json;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// The shape of a graph as data: what there is and what may follow what. It is compared with
/// [TopologyDiff]. Immutable.
///
/// @param graph the graph's name
/// @param types the shapes of the records that its channels and nodes take, by what takes them;
///   absent if they take none, or if an older version wrote this
public record Topology(
    String graph,
    List<ChannelShape> channels,
    List<NodeShape> nodes,
    List<EdgeShape> edges,
    @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<Map<String, String>> types) {
  /// Where every run begins; not a node.
  public static final String START = "__start__";

  /// Where every path ends; not a node.
  public static final String END = "__end__";

  private static final int BYTES = 16;
  private static final int TYPES_BYTES = 4;

  public Topology {
    requireNonNull(graph, "graph");
    channels = List.copyOf(channels);
    nodes = List.copyOf(nodes);
    edges = List.copyOf(edges);
    types = types.filter(all -> !all.isEmpty()).map(all -> unmodifiableMap(new TreeMap<>(all)));
  }

  /// Without records.
  public Topology(
      String graph, List<ChannelShape> channels, List<NodeShape> nodes, List<EdgeShape> edges) {
    this(graph, channels, nodes, edges, Optional.empty());
  }

  /// A channel: its reducer and the type of its value.
  public record ChannelShape(String name, String kind, String type) {
    public ChannelShape {
      requireNonNull(name, "name");
      requireNonNull(kind, "kind");
      requireNonNull(type, "type");
    }
  }

  /// A node.
  ///
  /// @param argument the type that it must be sent, or empty if it runs on the state alone
  /// @param inside the graph that it is, if it is one
  /// @param deferred whether it waits until nothing else is due
  /// @param gate the channels of which one must have changed for it to run; empty if it always runs
  public record NodeShape(
      String name,
      String argument,
      Optional<Topology> inside,
      boolean deferred,
      List<String> gate) {
    public NodeShape {
      requireNonNull(name, "name");
      requireNonNull(argument, "argument");
      requireNonNull(inside, "inside");
      gate = List.copyOf(gate);
    }
  }

  /// An edge: a node that may follow another.
  ///
  /// @param from one source, or several for a join; for a trigger the channels
  /// @param label what the router returns to take it; empty if that is the target's name
  /// @param needs for a join, how many of its sources must have finished; 0 for other edges
  public record EdgeShape(EdgeKind kind, List<String> from, String to, String label, int needs) {
    public EdgeShape {
      requireNonNull(kind, "kind");
      from = List.copyOf(from);
      requireNonNull(to, "to");
      requireNonNull(label, "label");
    }

    /// An edge from one source.
    public static EdgeShape of(EdgeKind kind, String from, String to) {
      return new EdgeShape(kind, List.of(from), to, "", 0);
    }
  }

  /// The condition under which an edge is followed.
  public enum EdgeKind {
    /// Always.
    DIRECT,
    /// If a router chooses it.
    ROUTED,
    /// Once for each argument sent.
    SENT,
    /// When as many sources have finished as it needs.
    JOINED,
    /// When there is a value in all channels that it names in place of sources.
    TRIGGERED,
    /// If a command of the node names it.
    COMMANDED,
    /// If a command of the node names it; the node's other edges are followed as well.
    ADDED,
    /// If the node fails for good.
    FAILED,
    /// If a node of the subgraph hands off there.
    HANDED_OFF
  }

  /// This topology as JSON, as [#parse] reads it.
  ///
  /// @throws TopologyTooDeep if graphs are nested too deep
  public Json json() {
    Levels.check(this);
    return TopologyText.of(this, true);
  }

  /// Reads what [#json] wrote.
  ///
  /// @throws dev.superstep.json.MalformedJson if it is not a topology
  public static Topology parse(Json json) {
    return json.as(Topology.class);
  }

  /// Returns the identity of the shape: equal for equal topologies, in every process. The part
  /// after a dash stands for the types; the part before it is the identity of versions that did not
  /// look at types.
  ///
  /// @throws TopologyTooDeep if graphs are nested too deep
  public String hash() {
    Levels.check(this);
    var plain = digest(TopologyText.of(this, false), BYTES);
    return types.isEmpty()
        ? plain
        : plain + "-" + digest(TopologyText.of(types.get()), TYPES_BYTES);
  }

  private static String digest(Json json, int length) {
    try {
      var digest = MessageDigest.getInstance("SHA-256");
      var bytes = digest.digest(json.text().getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(bytes, 0, length);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java runtime has SHA-256", e);
    }
  }

  /// A Mermaid flowchart. Names may hold anything: they are escaped.
  ///
  /// @throws TopologyTooDeep if graphs are nested too deep
  public String mermaid() {
    return Mermaid.of(this);
  }

  /// A chart in the DOT language of Graphviz. Names may hold anything: they are escaped.
  ///
  /// @throws TopologyTooDeep if graphs are nested too deep
  public String dot() {
    return Dot.of(this);
  }
}
