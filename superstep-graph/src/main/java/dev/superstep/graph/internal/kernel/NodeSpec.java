package dev.superstep.graph.internal.kernel;

import dev.superstep.checkpoint.Activation;
import dev.superstep.checkpoint.Progress;
import dev.superstep.error.Deadlock;
import dev.superstep.node.OnFailure;
import dev.superstep.node.Router;
import dev.superstep.node.Send;
import dev.superstep.state.Channel;
import dev.superstep.topology.Topology;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A node with all that follows it. Immutable once the graph is made.
public final class NodeSpec {
  private final String name;
  private final int index;
  private final NodeBody body;
  private final @Nullable PolicySettings policy;
  public final List<NodeSpec> direct = new ArrayList<>();
  public final List<Route> routes = new ArrayList<>();
  public final List<FanOut> fanOuts = new ArrayList<>();
  public final List<Join> joins = new ArrayList<>();

  /// Where its commands may lead; empty if it returns none.
  public final List<String> destinations = new ArrayList<>();

  /// The activation of nodes that follow it directly.
  final Activation edge;

  /// The activation of nodes that one of its routers chose.
  final Activation routed;

  /// Its last activation without an argument, as a list of one. Threads that race here make equal
  /// lists, which nobody changes.
  private List<PendingTask> lastDue = List.of();

  private @Nullable Progress lastProgress;

  /// The node as the only one that a superstep has run.
  final List<String> ran;

  /// The nodes to which its subgraph may hand off.
  public final List<String> handOffs = new ArrayList<>();

  /// True if the node's commands add to its edges instead of replacing them.
  public boolean additive;

  /// True if the node is a subgraph.
  public boolean isSubgraph;

  /// True if the node waits until nothing else is due.
  public boolean deferred;

  /// The channels of which one must have changed for it to run again; empty if it always runs.
  public final List<Channel<?, ?>> gate = new ArrayList<>();

  /// A router, as it was declared.
  ///
  /// @param router gives labels, if there are any, else targets
  /// @param labels for each target, what the router gives to choose it; empty if that is its name
  /// @param one whether it always chooses one
  public record Route(
      String from,
      Router<List<String>> router,
      List<String> targets,
      List<String> labels,
      boolean one) {
    /// Returns the target of a router's choice.
    String target(String choice) {
      return labels.isEmpty() ? choice : targets.get(labels.indexOf(choice));
    }

    public String label(int target) {
      return labels.isEmpty() ? "" : labels.get(target);
    }
  }

  public record FanOut(String from, Router<List<Send<?>>> router, List<String> targets) {}

  /// A node that waits for several.
  ///
  /// @param name for people and for checkpoints, as `a+b -> c` or `a+b+c (2 of 3) -> d`
  /// @param needs how many of the sources must have finished
  public record Join(String name, Set<String> from, int needs, NodeSpec to) {
    public static Join of(List<String> from, int needs, NodeSpec to) {
      var sources = new LinkedHashSet<>(from);
      var how = "";
      if (needs < sources.size()) {
        how = needs == 1 ? " (any)" : " (" + needs + " of " + sources.size() + ")";
      }
      // No node's name holds a `(`, so no two joins have one name.
      return new Join(String.join("+", from) + how + " -> " + to.name(), sources, needs, to);
    }

    /// For whom it waits.
    Deadlock.Waiting waiting(Set<String> arrived) {
      var missing = new ArrayList<>(from);
      missing.removeAll(arrived);
      return new Deadlock.Waiting("join " + name, to.name(), needs - arrived.size(), missing);
    }
  }

  public NodeSpec(String name, int index, NodeBody body, @Nullable PolicySettings policy) {
    this.name = name;
    this.index = index;
    this.body = body;
    this.policy = policy;
    this.edge = name.equals(Topology.START) ? new Activation.Entry() : new Activation.Edge(name);
    this.routed = new Activation.Routed(name);
    this.ran = List.of(name);
  }

  public String name() {
    return name;
  }

  /// The place in the order of declaration, which is the order of tasks.
  public int index() {
    return index;
  }

  /// Returns the activation of the node for this reason, as a list of one. A loop or a chain, where
  /// the reason is mostly the same object, gets the same list.
  @SuppressWarnings("ReferenceEquality") // an equal reason would do, and is slower to find
  List<PendingTask> due(Activation because) {
    var last = lastDue;
    if (last.isEmpty() || last.getFirst().activation() != because) {
      last = List.of(new PendingTask(this, because, null));
      lastDue = last;
    }
    return last;
  }

  /// Returns whether this is its last activation without an argument.
  @SuppressWarnings("ReferenceEquality") // an equal one is another
  boolean isLast(PendingTask due) {
    return !lastDue.isEmpty() && lastDue.getFirst() == due;
  }

  /// The last progress in which that activation was due alone. Threads that wait at the same place
  /// share it.
  @Nullable Progress lastProgress() {
    return lastProgress;
  }

  void lastProgress(Progress last) {
    lastProgress = last;
  }

  public NodeBody body() {
    return body;
  }

  /// The policy for failures and long runs of the node; null if it has none.
  public @Nullable PolicySettings policy() {
    return policy;
  }

  /// Returns whether its policy made this of a failure: it leads to the handler alone.
  public boolean isFailure(Next next) {
    return policy != null
        && policy.onFailure() instanceof OnFailure.Route(var handler, _)
        && next instanceof Next.Goto named
        && named.sends().size() == 1
        && named.sends().getFirst().target().equals(handler);
  }

  public boolean hasArgument() {
    return body instanceof NodeBody.OnArgument<?>;
  }

  /// The channels that the node declares to read and write; null if it declares neither.
  public @Nullable ChannelAccess access;

  /// True if something follows the node without a command. Reaching END counts.
  boolean hasEdges;
}
