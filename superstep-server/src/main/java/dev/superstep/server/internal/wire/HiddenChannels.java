package dev.superstep.server.internal.wire;

import dev.superstep.state.Channel;
import java.util.List;
import java.util.Map;

/// The channels that an agent keeps for itself: clients neither see nor write them. Immutable.
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

  private final boolean isAgent;

  /// @param channels of one graph
  HiddenChannels(List<Channel<?, ?>> channels) {
    this.isAgent =
        channels.stream().anyMatch(one -> one.name().equals("agent-progress") && isKnown(one));
  }

  private static boolean isKnown(Channel<?, ?> channel) {
    return channel.values().type().equals(TYPES.get(channel.name()));
  }

  /// Returns whether clients do not know the channel, or nothing of it is stored.
  boolean isHidden(Channel<?, ?> channel) {
    boolean isOfAgent = isAgent && channel.name().startsWith(AGENT);
    return isOfAgent || !channel.isTracked() || isKnown(channel);
  }
}
