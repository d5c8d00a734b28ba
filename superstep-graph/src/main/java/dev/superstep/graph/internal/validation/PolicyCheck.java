package dev.superstep.graph.internal.validation;

import dev.superstep.graph.internal.kernel.GraphDefinition;
import dev.superstep.graph.internal.kernel.NodeBody;
import dev.superstep.graph.internal.kernel.PolicySettings;
import dev.superstep.graph.internal.kernel.SubgraphSpec;
import dev.superstep.node.Failure;
import dev.superstep.node.OnFailure;
import dev.superstep.node.Target;
import dev.superstep.node.Update;
import dev.superstep.run.Problem;
import dev.superstep.state.Channel;
import dev.superstep.topology.Topology.EdgeKind;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Finds what is wrong with the policies of a graph's nodes.
final class PolicyCheck {
  private final GraphDefinition definition;
  private final List<Problem> problems;
  private final Set<String> commanding = new HashSet<>();

  private PolicyCheck(GraphDefinition definition, List<Problem> problems) {
    this.definition = definition;
    this.problems = problems;
    for (var edge : definition.edges) {
      if (edge.kind() == EdgeKind.COMMANDED) {
        commanding.addAll(edge.from());
      }
    }
  }

  static void check(GraphDefinition definition, List<Problem> problems) {
    var check = new PolicyCheck(definition, problems);
    definition.nodes.forEach(check::node);
  }

  private void node(GraphDefinition.NodePart node) {
    var policy = definition.policy(node);
    if (policy == null) return;
    if (definition.isHandler(node.name()) && !(policy.onFailure() instanceof OnFailure.Abort)) {
      add(
          "handled-handler",
          "node `"
              + node.name()
              + "` handles failures, so its own must fail the run;"
              + " take its `onFailure` away");
      return;
    }
    cached(node, policy);
    if (policy.onFailure() instanceof OnFailure.Handled handled) {
      handled.record().ifPresent(channel -> declared(node, "record of failures", channel));
    }
    switch (policy.onFailure()) {
      case OnFailure.Abort _ -> {}
      case OnFailure.Skip _ -> follows(node);
      case OnFailure.Fallback(var update, _) -> {
        follows(node);
        declared(node, update);
      }
      case OnFailure.Route(var handler, _) -> handler(node, handler);
    }
  }

  private void follows(GraphDefinition.NodePart node) {
    if (!commanding.contains(node.name())) return;
    add(
        "skipped-command",
        "node `"
            + node.name()
            + "` says by a command what follows, so without it nothing would;"
            + " route its failure to a handler instead");
  }

  private void declared(GraphDefinition.NodePart node, Update update) {
    for (var write : update.writes()) declared(node, "fallback", write.channel());
  }

  private void declared(GraphDefinition.NodePart node, String what, Channel<?, ?> channel) {
    if (definition.channels.stream().anyMatch(c -> c == channel)) return;
    add(
        "undeclared-channel",
        "the "
            + what
            + " of node `"
            + node.name()
            + "` writes channel `"
            + channel.name()
            + "`, which the graph does not declare");
  }

  private void cached(GraphDefinition.NodePart node, PolicySettings policy) {
    var cache = policy.cache();
    if (cache != null && node.subgraph().filter(SubgraphSpec::isShared).isPresent()) {
      add(
          "cached-shared",
          "node `"
              + node.name()
              + "` is cached, but shares its channels with the graph inside of it, which may read"
              + " any of them; use `Subgraph.of`, or cache nodes inside of it");
      return;
    }
    if (cache == null || cache.key() != null || node.body() instanceof NodeBody.OnArgument<?>) {
      return;
    }
    add(
        "cache-key",
        "node `"
            + node.name()
            + "` is cached by its argument, but is sent none;"
            + " say with `CachePolicy.by` what it reads");
  }

  private void handler(GraphDefinition.NodePart node, Target<Failure> handler) {
    for (var part : definition.nodes) {
      if (!part.name().equals(handler.name())) continue;
      if (part.body() instanceof NodeBody.OnArgument<?> body && body.target().equals(handler)) {
        continue;
      }
      add(
          "handler-target",
          "node `"
              + part.name()
              + "` is sent the failures of `"
              + node.name()
              + "`, but was not declared with that target constant; use the same");
    }
    for (var edge : definition.edges) {
      boolean commanded = edge.kind() == EdgeKind.COMMANDED || edge.kind() == EdgeKind.ADDED;
      if (commanded && edge.from().contains(node.name()) && edge.to().equals(handler.name())) {
        add(
            "commanded-handler",
            "node `"
                + node.name()
                + "` names its own handler `"
                + handler.name()
                + "` as a destination; a handler is for failures only");
      }
    }
  }

  private void add(String code, String message) {
    problems.add(new Problem(code, message));
  }
}
