package dev.superstep.agent;

import dev.superstep.json.SuperstepException;

/// A lane of a [HostQueue] has no place left. Nothing was added.
public final class HostQueueFull extends SuperstepException {
  private final HostQueue.Lane lane;

  HostQueueFull(HostQueue.Lane lane, int most) {
    super(
        "agent.host-queue-full",
        "Lane %s holds %d messages, and can hold no more. Wait until the agent has heard some."
            .formatted(lane, most));
    this.lane = lane;
  }

  /// The lane.
  public HostQueue.Lane lane() {
    return lane;
  }
}
