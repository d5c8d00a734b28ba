package dev.superstep.graph.internal.run;

import dev.superstep.graph.internal.kernel.ChannelAccess;
import dev.superstep.graph.internal.kernel.ChannelIndex;
import dev.superstep.graph.internal.kernel.CompiledGraph;
import dev.superstep.graph.internal.kernel.ExecutionGraph;
import dev.superstep.graph.internal.kernel.Folding;
import dev.superstep.graph.internal.kernel.Next;
import dev.superstep.graph.internal.kernel.NodeSpec;
import dev.superstep.graph.internal.kernel.Snapshot;
import dev.superstep.graph.internal.kernel.TaskResult;
import dev.superstep.node.OnFailure;
import dev.superstep.state.Write;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Decides, without clock, thread or storage, which tasks may start before their superstep: those
/// of nodes that are certain to be due there, and that read no channel which an unfinished task may
/// still write. A task about which nothing can be proved starts with its superstep.
final class EarlyStartAnalysis {
  /// The largest number of supersteps that a run may be ahead of itself.
  static final int LEVELS_MAX = 32;

  private final CompiledGraph graph;
  private final ExecutionGraph executionGraph;
  private final ChannelIndex index;
  private final NodeSpec[] nodes;

  /// True if a node may return a question, and so run again in the next superstep.
  private final boolean mayAsk;

  EarlyStartAnalysis(CompiledGraph graph) {
    this.graph = graph;
    this.executionGraph = graph.executionGraph();
    this.index = graph.index();
    this.mayAsk = !graph.questions().isEmpty();
    this.nodes = executionGraph.nodes().toArray(NodeSpec[]::new);
  }

  private boolean remembers(NodeSpec node) {
    return Objects.requireNonNull(graph.subgraph(node)).subgraph().remembers();
  }

  /// A node that may start.
  ///
  /// @param level how many supersteps ahead
  /// @param from the node that it follows
  /// @param state what it sees: right in the channels that it reads
  record Start(int level, NodeSpec node, NodeSpec from, Snapshot state) {}

  /// The first node that may start, or null if none may.
  ///
  /// @param at the snapshot on which the first level runs
  /// @param levels the superstep that the run is in, and those where tasks were begun ahead
  /// @param most the last level in which one may start
  /// @param hasRoom whether one more task of a node may run now
  @Nullable Start next(
      Snapshot at, List<InFlightSuperstep> levels, int most, Predicate<NodeSpec> hasRoom) {
    var blocked = new BitSet(index.size());
    var entries = entries(levels.getFirst());
    var held = new BitSet(nodes.length);
    for (var due : at.position().deferred()) held.set(due.node().index());
    for (int level = 1; level <= Math.min(most, LEVELS_MAX); level++) {
      if (!block(entries, blocked)) return null;
      var due = new Following(entries, held);
      var known = level < levels.size() ? levels.get(level) : null;
      for (int i = due.certain.nextSetBit(0); i >= 0; i = due.certain.nextSetBit(i + 1)) {
        var node = nodes[i];
        if (known != null && known.ahead(node) != null) continue;
        // Whether a gate is open is decided on the whole snapshot.
        if (!node.gate.isEmpty()) continue;
        // It continues from the memory of the activation before, which may be at work.
        if (node.isSubgraph && remembers(node)) continue;
        if (!mayRead(node, blocked) || !hasRoom.test(node)) continue;
        var state = state(at, levels.subList(0, Math.min(level, levels.size())), node);
        if (state != null) return new Start(level, node, due.from(i), state);
      }
      // A task that certainly follows has a finished predecessor.
      if (known == null) return null;
      entries = due.entries(known);
      held = due.held;
    }
    return null;
  }

  /// A task of a level, or a node that may have one there.
  private record Entry(NodeSpec node, @Nullable TaskResult end) {
    TaskResult.@Nullable Finished finished() {
      return end instanceof TaskResult.Finished finished ? finished : null;
    }
  }

  private static List<Entry> entries(InFlightSuperstep superstep) {
    var entries = new ArrayList<Entry>(superstep.slots().size());
    for (var slot : superstep.slots()) entries.add(new Entry(slot.node(), slot.end()));
    return entries;
  }

  /// Adds what the tasks of a level may still write.
  ///
  /// @return false if nothing beyond may start
  private static boolean block(List<Entry> entries, BitSet blocked) {
    for (var entry : entries) {
      var finished = entry.finished();
      if (finished != null && finished.asked() == null) continue;
      // It failed or it asks: in this run, nothing comes after this level, or the next.
      if (entry.end() != null) return false;
      var access = entry.node().access;
      if (access == null || access.writes() == null) return false;
      blocked.or(access.writes());
    }
    return true;
  }

  private static boolean mayRead(NodeSpec node, BitSet blocked) {
    var reads = node.access == null ? null : node.access.reads();
    return reads == null ? blocked.isEmpty() : !reads.intersects(blocked);
  }

  /// The state after these levels, in the channels that a node reads, or null if they cannot be
  /// folded; then the run will fail when it comes there.
  private @Nullable Snapshot state(Snapshot at, List<InFlightSuperstep> levels, NodeSpec node) {
    var cells = at.copyCells();
    try {
      for (var superstep : levels) {
        var folding = new Folding(index);
        for (var slot : superstep.slots()) {
          if (slot.end() instanceof TaskResult.Finished(var writes, _, _, _)) {
            folding.add(slot.task(), read(writes, node.access));
          }
        }
        folding.into(cells);
      }
    } catch (RuntimeException _) {
      return null;
    }
    return new Snapshot(index, cells, at.position());
  }

  private List<Write> read(List<Write> writes, @Nullable ChannelAccess access) {
    if (access == null || access.reads() == null) return writes;
    return writes.stream().filter(w -> access.mayRead(index.place(w.channel()))).toList();
  }

  /// The consequences of the tasks of one superstep.
  private final class Following {
    /// Due in the next superstep, whatever is still to come.
    private final BitSet certain = new BitSet(nodes.length);

    /// Perhaps due there.
    private final BitSet perhaps = new BitSet(nodes.length);

    /// Deferred nodes that may wait: they run in any later superstep.
    private final BitSet held;

    private final @Nullable NodeSpec[] from = new @Nullable NodeSpec[nodes.length];

    Following(List<Entry> entries, BitSet held) {
      this.held = held;
      // In task order: the first that leads to a node is why it runs.
      for (var entry : entries) follow(entry);
      for (var entry : entries) for (var join : entry.node().joins) perhaps(join.to());
      perhaps.or(held);
      perhaps.andNot(certain);
    }

    NodeSpec from(int index) {
      return java.util.Objects.requireNonNull(from[index]);
    }

    /// The entries of the next level, in task order.
    List<Entry> entries(InFlightSuperstep superstep) {
      var entries = new ArrayList<Entry>();
      var sent = new ArrayList<Entry>();
      for (var node : nodes) {
        if (certain.get(node.index())) {
          var slot = superstep.ahead(node);
          entries.add(new Entry(node, slot == null ? null : slot.end()));
        } else if (perhaps.get(node.index())) {
          (node.hasArgument() ? sent : entries).add(new Entry(node, null));
        }
      }
      entries.addAll(sent);
      return entries;
    }

    private void follow(Entry entry) {
      var node = entry.node();
      var end = entry.finished();
      var named = end != null && end.next() instanceof Next.Goto go ? go : null;
      if (named == null || (node.additive && !node.isFailure(named))) {
        edges(node, end != null);
      }
      if (end == null) {
        if (mayAsk) perhaps(node);
        node.destinations.forEach(this::perhaps);
        node.handOffs.forEach(this::perhaps);
        if (node.policy() != null
            && node.policy().onFailure() instanceof OnFailure.Route(var handler, _)) {
          perhaps(handler.name());
        }
      } else if (named != null) {
        named.nodes().forEach(this::perhaps);
        for (var send : named.sends()) perhaps(send.target().name());
      }
    }

    private void edges(NodeSpec node, boolean finished) {
      for (var to : node.direct) {
        if (finished) certainly(node, to);
        else perhaps(to);
      }
      // The choice of a router depends on the folded state.
      for (var route : node.routes) route.targets().forEach(this::perhaps);
      for (var fanOut : node.fanOuts) fanOut.targets().forEach(this::perhaps);
    }

    private void certainly(NodeSpec by, NodeSpec to) {
      if (to.deferred) perhaps(to);
      if (certain.get(to.index()) || perhaps.get(to.index())) return;
      certain.set(to.index());
      from[to.index()] = by;
    }

    private void perhaps(String name) {
      var node = executionGraph.node(name);
      if (node != null) perhaps(node);
    }

    private void perhaps(NodeSpec to) {
      if (certain.get(to.index())) return;
      perhaps.set(to.index());
      if (to.deferred) held.set(to.index());
    }
  }
}
