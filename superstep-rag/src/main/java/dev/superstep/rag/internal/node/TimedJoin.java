package dev.superstep.rag.internal.node;

import dev.superstep.graph.Graph;
import dev.superstep.graph.GraphBuilder;
import dev.superstep.node.Command;
import dev.superstep.node.NodeContext;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Update;
import dev.superstep.rag.error.JoinTimedOut;
import dev.superstep.state.Channel;
import dev.superstep.state.State;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A join that waits a limited time. It is made of nodes that any graph could have, so that times
/// are results of tasks, which are stored and replayed like all others:
///
/// ```text
/// source -> "j from source" (notes when) -> "j gate" -> j, if all have come
///                                              \-> "j wait" (deferred) -> j without the others
/// ```
///
/// The deferred node runs when nothing else is left to do, so that nobody can come any more. The
/// node of the join itself then fails with the names of those that were missing. Immutable.
///
/// @param sources in the order of the text
public record TimedJoin(
    String join,
    List<String> sources,
    Duration timeout,
    Channel<JoinArrivals, JoinArrivals> arrivals,
    NodeEnd end)
    implements NodeCode {
  public static TimedJoin of(String join, List<String> sources, Duration timeout, NodeEnd end) {
    var arrivals =
        Channel.reduce(
            "rag-join-" + join, JoinArrivals.class, JoinArrivals.NONE, JoinArrivals::and);
    return new TimedJoin(join, List.copyOf(sources), timeout, arrivals, end);
  }

  private String from(String source) {
    return join + " from " + source;
  }

  private String gate() {
    return join + " gate";
  }

  private String waiting() {
    return join + " wait";
  }

  /// Adds all but the node of the join itself. A source that returns commands must follow its edges
  /// beside them.
  ///
  /// @param taken the names of the nodes of the text
  /// @throws IllegalArgumentException if one of them is a name that it needs
  public void add(GraphBuilder builder, Set<String> taken) {
    builder.channels(arrivals);
    for (var source : sources) {
      var name = free(from(source), taken);
      builder.node(name, (_, c) -> note(source, c)).edge(source, name).edge(name, gate());
    }
    builder
        .node(free(gate(), taken), (state, _) -> gate(state))
        .destinations(gate(), join, waiting());
    builder
        .node(free(waiting(), taken), (state, _) -> waited(state))
        .deferred(waiting())
        .destinations(waiting(), join, Graph.END);
  }

  private static String free(String name, Set<String> taken) {
    if (!taken.contains(name)) return name;
    throw new IllegalArgumentException(
        "a join with a timeout needs the name `" + name + "`, which a node has");
  }

  private NodeResult note(String source, NodeContext context) {
    return Update.of(arrivals, JoinArrivals.of(source, context.clock().instant()));
  }

  private NodeResult gate(State state) {
    var now = state.get(arrivals);
    return now.absent(sources).isEmpty() ? goOn(now, now.late(timeout)) : Command.to(waiting());
  }

  private NodeResult waited(State state) {
    var now = state.get(arrivals);
    var absent = now.absent(sources);
    // With all of them, or with none since it went on, the gate has decided.
    boolean isDecided = absent.isEmpty() || absent.size() == sources.size();
    return isDecided ? Command.to(Graph.END) : goOn(now, absent);
  }

  private Command goOn(JoinArrivals now, List<String> missing) {
    return Command.to(join).with(Update.of(arrivals, now.without(missing)));
  }

  @Override
  public NodeResult run(State state, @Nullable Object argument, NodeContext context) {
    var missing = state.get(arrivals).missing();
    if (!missing.isEmpty()) throw new JoinTimedOut(join, missing, timeout);
    return end.of(new Update(List.of()));
  }
}
