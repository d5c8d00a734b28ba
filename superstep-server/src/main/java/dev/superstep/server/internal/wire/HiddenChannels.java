package dev.superstep.server.internal.wire;

import dev.superstep.state.Channel;
import java.util.Map;

/// The channels that an agent keeps for itself: clients neither see nor write them.
final class HiddenChannels {
  /// The types of their values by their names; both count, since other graphs may use the names.
  private static final Map<String, String> TYPES =
      Map.ofEntries(
          Map.entry("agent-progress", "AgentRunState"),
          Map.entry("agent-spend", "Spend"),
          Map.entry("agent-final", "list<ToolMessage>"),
          Map.entry("agent-called", "Delegation"),
          Map.entry("agent-sessions", "list<Session>"),
          Map.entry("agent-answer", "Json"),
          Map.entry("agent-approved", "list<ApprovedCall>"),
          Map.entry("agent-steered", "SteeringState"),
          Map.entry("call-counts", "CallCounts"),
          Map.entry("summaries", "map<SummaryRecord>"),
          Map.entry("tools-selected", "Selected"),
          Map.entry("prompt-prefix", "Prefix"),
          Map.entry("memory-recalled", "Recalled"));

  private HiddenChannels() {}

  /// Returns whether clients do not know the channel, or nothing of it is stored.
  static boolean isHidden(Channel<?, ?> channel) {
    return !channel.isTracked() || channel.values().type().equals(TYPES.get(channel.name()));
  }
}
