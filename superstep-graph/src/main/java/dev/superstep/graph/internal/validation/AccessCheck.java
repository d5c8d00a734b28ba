package dev.superstep.graph.internal.validation;

import dev.superstep.graph.internal.kernel.GraphDefinition;
import dev.superstep.name.NameSuggestion;
import dev.superstep.node.OnFailure;
import dev.superstep.run.Problem;
import dev.superstep.state.Channel;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Finds what is wrong with what nodes declare that they read and write.
final class AccessCheck {
  private final GraphDefinition definition;
  private final List<Problem> problems;
  private final Map<String, GraphDefinition.NodePart> nodes = new HashMap<>();
  private final Set<Channel<?, ?>> channels;

  private AccessCheck(GraphDefinition definition, List<Problem> problems) {
    this.definition = definition;
    this.problems = problems;
    for (var node : definition.nodes) nodes.put(node.name(), node);
    this.channels = same(definition.channels);
  }

  static void check(GraphDefinition definition, List<Problem> problems) {
    if (definition.reads.isEmpty() && definition.writes.isEmpty()) return;
    var check = new AccessCheck(definition, problems);
    check.declared("reads", definition.reads);
    check.declared("writes", definition.writes);
    check.fallbacks();
  }

  private void declared(String verb, Map<String, List<Channel<?, ?>>> declared) {
    for (var entry : declared.entrySet()) {
      var name = entry.getKey();
      if (!nodes.containsKey(name)) {
        var near =
            NameSuggestion.nearest(name, nodes.keySet()).map(n -> ". Did you mean `" + n + "`?");
        var what = "there is no node `" + name + "`, of which is said what it " + verb;
        add("unknown-node", what + near.orElse(""));
      }
      for (var channel : entry.getValue()) {
        if (channels.contains(channel)) continue;
        add(
            "undeclared-channel",
            "node `%s` %s channel `%s`, which the graph does not declare"
                .formatted(name, verb, channel.name()));
      }
    }
  }

  /// Checks that a node declares the channels to which its failure handling writes in its place.
  private void fallbacks() {
    for (var entry : definition.writes.entrySet()) {
      var node = nodes.get(entry.getKey());
      var policy = node == null ? null : definition.policy(node);
      if (policy == null || !(policy.onFailure() instanceof OnFailure.Handled handled)) continue;
      var own = same(entry.getValue());
      handled
          .record()
          .ifPresent(channel -> own(entry.getKey(), own, "record of failures", channel));
      if (!(handled instanceof OnFailure.Fallback(var update, _))) continue;
      for (var write : update.writes()) own(entry.getKey(), own, "fallback", write.channel());
    }
  }

  private void own(String node, Set<Channel<?, ?>> own, String what, Channel<?, ?> channel) {
    if (own.contains(channel)) return;
    add(
        "undeclared-write",
        "the %s of node `%s` writes channel `%s`, which the node does not declare"
            .formatted(what, node, channel.name()));
  }

  private static Set<Channel<?, ?>> same(List<Channel<?, ?>> channels) {
    Set<Channel<?, ?>> same = Collections.newSetFromMap(new IdentityHashMap<>());
    same.addAll(channels);
    return same;
  }

  private void add(String code, String message) {
    problems.add(new Problem(code, message));
  }
}
