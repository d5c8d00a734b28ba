package dev.superstep.middleware;

import dev.superstep.json.SuperstepException;
import java.util.List;

/// The beginning of a prompt is another one than in the turn before, as a [PrefixGuard] saw, so the
/// vendor's cache of it is void.
public final class PrefixChanged extends SuperstepException {
  private final List<String> segments;

  PrefixChanged(String agent, List<String> segments) {
    super(
        "middleware.prefix-changed",
        """
        The stable prefix of agent `%s` changed between two turns, in: %s. Put what differs from \
        turn to turn behind it, into the conversation.\
        """
            .formatted(agent, String.join(", ", segments)));
    this.segments = List.copyOf(segments);
  }

  /// The parts that are new, gone or different: `tools`, `format`, ids of system messages.
  public List<String> segments() {
    return segments;
  }
}
