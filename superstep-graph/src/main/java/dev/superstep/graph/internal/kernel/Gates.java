package dev.superstep.graph.internal.kernel;

import dev.superstep.checkpoint.Activation;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Decides whether a gated node runs, and keeps which versions of its channels it last saw. Pure.
final class Gates {
  private Gates() {}

  /// Returns whether no channel of the gate has changed since the node last ran. A node that asked
  /// continues with the answer, whatever has changed.
  static boolean isClosed(PendingTask due, Snapshot at) {
    var node = due.node();
    if (node.gate.isEmpty() || due.activation() instanceof Activation.Resumed) return false;
    var seen = at.position().marks().seen().get(node.name());
    if (seen == null) return false;
    for (var channel : node.gate) {
      var version = seen.get(channel.name());
      if (version == null || version != at.version(channel)) return false;
    }
    return true;
  }

  /// Returns the versions that gated nodes have seen after a superstep. A node whose failure went
  /// to a handler has seen nothing: if the handler leads back to it, it is tried again.
  static Map<String, Map<String, Long>> seen(
      Snapshot at, List<Task> tasks, List<TaskResult.Finished> results) {
    var before = at.position().marks().seen();
    var seen = before;
    for (int i = 0; i < tasks.size(); i++) {
      var node = tasks.get(i).due().node();
      if (node.gate.isEmpty() || tasks.get(i).isSkipped()) continue;
      if (node.isFailure(results.get(i).next())) continue;
      var versions = versions(node, at);
      // The same versions need no new entry.
      if (!versions.equals(before.get(node.name()))) {
        seen = PersistentMap.with(seen, node.name(), versions);
      }
    }
    return seen;
  }

  private static Map<String, Long> versions(NodeSpec node, Snapshot at) {
    var versions = new LinkedHashMap<String, Long>();
    for (var channel : node.gate) versions.put(channel.name(), at.version(channel));
    return versions;
  }
}
