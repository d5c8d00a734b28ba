package dev.superstep.server.internal.wire;

import dev.superstep.state.Channel;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The channels that agents, and graphs written as text, keep for themselves: clients neither see
/// nor write them. Immutable.
final class HiddenChannels {
  private static final String AGENT = "agent-";

  /// The types of the values of channels of middleware, by their names; both count, since other
  /// graphs may use the names.
  private static final Map<String, String> TYPES =
      Map.of(
          "agent-progress", "Progress",
          "call-counts", "CallCounts",
          "summaries", "map<SummaryRecord>",
          "tools-selected", "Selected",
          "prompt-prefix", "Prefix",
          "memory-recalled", "Recalled");

  private static final String SPENT = "rag-spend";

  /// The counts of a graph written as text, if it has limits; the numbers among them are told from
  /// channels of other graphs by what else there is.
  private static final Set<String> COUNTED = Set.of(SPENT, "rag-tool-calls", "rag-tasks");

  private final boolean isAgent;
  private final boolean isCounting;

  /// @param channels of one graph
  HiddenChannels(List<Channel<?, ?>> channels) {
    this.isAgent =
        channels.stream().anyMatch(one -> one.name().equals("agent-progress") && isKnown(one));
    this.isCounting =
        channels.stream().anyMatch(one -> one.name().equals(SPENT) && isOf(one, "Spend"));
  }

  private static boolean isOf(Channel<?, ?> channel, String type) {
    return channel.values().type().equals(type);
  }

  private static boolean isKnown(Channel<?, ?> channel) {
    return channel.values().type().equals(TYPES.get(channel.name()));
  }

  /// Returns whether clients do not know the channel, or nothing of it is stored.
  boolean isHidden(Channel<?, ?> channel) {
    boolean isOfAgent = isAgent && channel.name().startsWith(AGENT);
    return isOfAgent || isOfText(channel) || !channel.isTracked() || isKnown(channel);
  }

  private boolean isOfText(Channel<?, ?> channel) {
    boolean isArrivals = channel.name().startsWith("rag-join-") && isOf(channel, "JoinArrivals");
    return isArrivals || (isCounting && COUNTED.contains(channel.name()));
  }
}
