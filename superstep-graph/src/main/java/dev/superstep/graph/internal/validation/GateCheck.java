package dev.superstep.graph.internal.validation;

import dev.superstep.graph.internal.kernel.GraphDefinition;
import dev.superstep.run.Problem;
import dev.superstep.state.Channel;
import dev.superstep.topology.Topology.EdgeKind;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/// Finds what is wrong with the gates of a graph's nodes.
final class GateCheck {
  private final List<Problem> problems;

  private GateCheck(List<Problem> problems) {
    this.problems = problems;
  }

  static void check(GraphDefinition definition, Set<String> sendTargets, List<Problem> problems) {
    if (definition.gates.isEmpty()) return;
    var check = new GateCheck(problems);
    var commanding = new HashSet<String>();
    for (var edge : definition.edges) {
      if (edge.kind() == EdgeKind.COMMANDED) commanding.addAll(edge.from());
    }
    Set<Channel<?, ?>> declared = Collections.newSetFromMap(new IdentityHashMap<>());
    declared.addAll(definition.channels);
    var triggered = new HashSet<String>();
    for (var trigger : definition.triggers) triggered.add(trigger.node());
    definition.gates.forEach((node, channels) -> {
      if (sendTargets.contains(node)) {
        check.add(
            "gated-send",
            "node `"
                + node
                + "` is sent arguments, each of which is worth a run; take its gate away");
      }
      if (commanding.contains(node)) {
        check.add(
            "gated-command",
            "node `"
                + node
                + "` says by a command what follows, so nothing would follow when its gate skips"
                + " it; give it edges instead");
      }
      if (triggered.contains(node)) {
        check.add(
            "gated-trigger",
            "node `"
                + node
                + "` is run by tokens, which would be lost when its gate skips it; take its gate"
                + " away");
      }
      if (channels.isEmpty()) {
        check.add("empty-gate", "the gate of node `" + node + "` names no channel; name one");
      }
      for (var channel : channels) check.channel(node, channel, declared.contains(channel));
    });
  }

  private void channel(String node, Channel<?, ?> channel, boolean declared) {
    var name = "the gate of node `" + node + "` names channel `" + channel.name() + "`, ";
    if (!declared) {
      add("undeclared-channel", name + "which the graph does not declare");
    } else if (!channel.isTracked()) {
      add(
          "untracked-gate",
          name + "of which nothing is kept, so a resumed run would not know whether it changed");
    }
  }

  private void add(String code, String message) {
    problems.add(new Problem(code, message));
  }
}
