package dev.superstep.graph.internal.publish;

import dev.superstep.graph.internal.kernel.Next;
import dev.superstep.graph.internal.kernel.NodeSpec;
import dev.superstep.graph.internal.kernel.RoutingReason;
import dev.superstep.node.Send;
import dev.superstep.run.Input;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The reasons that lie in how all tasks of one node ended. Immutable.
record NodeEndings(NodeSpec node, List<RoutingReason.OfNode> reasons) {
  /// Groups the reasons by node, in task order.
  static Collection<NodeEndings> of(List<RoutingReason> reasons) {
    var all = new LinkedHashMap<NodeSpec, NodeEndings>();
    for (var reason : reasons) {
      if (!(reason instanceof RoutingReason.OfNode of)) continue;
      var node = of.node();
      all.computeIfAbsent(node, _ -> new NodeEndings(node, new ArrayList<>())).reasons.add(of);
    }
    return all.values();
  }

  private <R> Stream<R> all(Class<R> kind) {
    return reasons.stream().filter(kind::isInstance).map(kind::cast);
  }

  private boolean has(Class<?> kind) {
    return all(kind).findAny().isPresent();
  }

  /// Input that names what runs first, in place of the edges of the node; null if there is none.
  @Nullable Input seed() {
    return all(RoutingReason.Seeded.class).map(RoutingReason.Seeded::input).findAny().orElse(null);
  }

  boolean isFollowed() {
    return has(RoutingReason.Followed.class);
  }

  boolean isFailed() {
    return has(RoutingReason.Failed.class);
  }

  boolean isCommanded() {
    return has(RoutingReason.Commanded.class);
  }

  private Stream<Next.Goto> commands() {
    return all(RoutingReason.Commanded.class).map(RoutingReason.Commanded::command);
  }

  /// The nodes that commands name.
  Set<String> named() {
    var named = new LinkedHashSet<String>();
    commands().forEach(command -> named.addAll(command.nodes()));
    return named;
  }

  /// Returns the number of arguments that commands send to each target.
  Map<String, Integer> sent() {
    return targets(commands().flatMap(command -> command.sends().stream()).toList());
  }

  /// Returns the choice of a router or its override; null if it was not followed.
  RoutingReason.@Nullable Routed routed(int router) {
    return all(RoutingReason.Routed.class)
        .filter(routed -> routed.router() == router)
        .findFirst()
        .orElse(null);
  }

  /// Returns the arguments that a router sent, for all tasks of the node.
  List<Send<?>> fannedOut(int router) {
    var sends = new ArrayList<Send<?>>();
    all(RoutingReason.FannedOut.class)
        .filter(out -> out.router() == router)
        .forEach(out -> sends.addAll(out.sends()));
    return sends;
  }

  /// Returns the number of these arguments that go to each target.
  static Map<String, Integer> targets(List<? extends Send<?>> sends) {
    var targets = new LinkedHashMap<String, Integer>();
    for (var send : sends) targets.merge(send.target().name(), 1, Integer::sum);
    return targets;
  }

  /// Why no edge of the node is followed.
  String whyNot() {
    if (seed() != null) return "the input says what runs first";
    if (isCommanded()) {
      boolean isInside = !node.handOffs.isEmpty();
      return isInside ? "a node inside handed off" : "its command says all that follows";
    }
    if (isFailed()) return "it failed, and only its handler follows";
    return "it asks a question, and nothing follows before the answer";
  }
}
