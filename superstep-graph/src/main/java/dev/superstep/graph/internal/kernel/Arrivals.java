package dev.superstep.graph.internal.kernel;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The arrivals at the joins of a graph, while the results of one superstep are followed. Between
/// supersteps there is one set for each join: the sources that have arrived in its generation. A
/// join has fired if there are as many as it needs.
public final class Arrivals {
  private Map<String, Set<String>> arrived;
  private @Nullable Map<String, Meeting> meetings;

  /// The sources of one join that arrive in this superstep.
  private record Meeting(NodeSpec.Join join, Set<String> sources) {}

  public Arrivals(Map<String, Set<String>> before) {
    this.arrived = before;
  }

  /// For each join in progress, by name, who has arrived.
  public Map<String, Set<String>> arrived() {
    return arrived;
  }

  /// A node has finished. Several tasks of one node in a superstep arrive once.
  public void arrive(NodeSpec node) {
    for (var join : node.joins) sources(join).add(node.name());
  }

  /// Notes a node that has ended and does not arrive, so that its joins give their reasons.
  void await(NodeSpec node) {
    for (var join : node.joins) sources(join);
  }

  private Set<String> sources(NodeSpec.Join join) {
    var all = meetings;
    if (all == null) meetings = all = new LinkedHashMap<>();
    return all.computeIfAbsent(join.name(), _ -> new Meeting(join, new LinkedHashSet<>()))
        .sources();
  }

  /// Brings the superstep to its end, all arrivals at once.
  ///
  /// @param reasons receives the state of each join; null if nobody asks
  /// @return the joins that fire, each once
  public List<NodeSpec.Join> meet(@Nullable List<RoutingReason> reasons) {
    if (meetings == null) return List.of();
    var firing = new ArrayList<NodeSpec.Join>();
    for (var meeting : meetings.values()) {
      if (meet(meeting.join(), meeting.sources(), reasons)) firing.add(meeting.join());
    }
    return firing;
  }

  private boolean meet(
      NodeSpec.Join join, Set<String> came, @Nullable List<RoutingReason> reasons) {
    var before = arrived.getOrDefault(join.name(), Set.of());
    boolean hadFired = before.size() >= join.needs();
    Set<String> repeated = Set.of();
    if (hadFired) {
      repeated = new LinkedHashSet<>(came);
      repeated.removeIf(name -> !before.contains(name));
    }
    // After a join has fired, a source that arrives again begins the next generation, and a late
    // one completes the old.
    boolean anew = hadFired && !repeated.isEmpty();
    var generation = anew ? repeated : PersistentSet.with(before, came);
    if (!came.isEmpty()) {
      arrived =
          generation.size() == join.from().size()
              ? PersistentMap.without(arrived, join.name())
              : PersistentMap.with(arrived, join.name(), generation);
    }
    boolean isOpen = anew || !hadFired;
    if (reasons != null) reasons.add(new RoutingReason.Joined(join, generation, isOpen));
    return isOpen && generation.size() >= join.needs();
  }
}
