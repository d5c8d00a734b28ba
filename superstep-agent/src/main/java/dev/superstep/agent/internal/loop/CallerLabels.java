package dev.superstep.agent.internal.loop;

import dev.superstep.agent.internal.state.AgentSpec;
import dev.superstep.agent.run.AgentLabels;
import dev.superstep.node.ContextKey;
import dev.superstep.node.NodeContext;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// The labels that agents inherit from those that call them, also through graphs. A run that is
/// resumed makes them anew. Safe for many threads.
final class CallerLabels {
  private static final ContextKey<CallerLabels> KEY =
      ContextKey.of("agent-caller-labels", CallerLabels.class);

  /// By the task that calls an agent or a graph.
  private final ConcurrentHashMap<String, Map<String, String>> inherited =
      new ConcurrentHashMap<>();

  private CallerLabels() {}

  private static CallerLabels of(NodeContext node) {
    return node.shared(KEY, CallerLabels::new);
  }

  /// Passes the labels of an agent on to what the task of a node calls.
  static void pass(AgentSpec spec, NodeContext node) {
    pass(spec, node, node.task());
  }

  /// Passes the labels of an agent on to what runs as a task inside of a node.
  static void pass(AgentSpec spec, NodeContext node, String task) {
    of(node).inherited.put(task, inherited(spec, node));
  }

  /// The labels of an agent in a node.
  static Map<String, String> of(AgentSpec spec, NodeContext node) {
    var run = node.find(AgentLabels.KEY).orElse(AgentLabels.none());
    var all = inherited(spec, node);
    if (of(node).caller(node) == null) all.putAll(run.local());
    all.putAll(spec.labels().local());
    return all;
  }

  private static Map<String, String> inherited(AgentSpec spec, NodeContext node) {
    var all = new LinkedHashMap<String, String>();
    var caller = of(node).caller(node);
    if (caller == null) {
      all.putAll(node.metadata());
      all.putAll(node.find(AgentLabels.KEY).orElse(AgentLabels.none()).inherited());
    } else {
      all.putAll(caller);
    }
    all.putAll(spec.labels().inherited());
    return all;
  }

  /// The labels of the nearest caller; null if no agent called.
  private @Nullable Map<String, String> caller(NodeContext node) {
    if (inherited.isEmpty()) return null;
    for (var task : node.enclosingTasks().reversed()) {
      var found = inherited.get(task);
      if (found != null) return found;
    }
    return null;
  }
}
