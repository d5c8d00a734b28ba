package dev.superstep.agent.run;

import dev.superstep.json.SuperstepException;
import java.util.Collection;
import java.util.List;

/// An agent with tools whose calls a person approves was run without a store, so that no decision
/// could reach it. No model was asked.
public final class ApprovalNeedsStore extends SuperstepException {
  private final List<String> tools;

  /// An error for an agent.
  ///
  /// @param agent its name
  /// @param tools the names of the tools
  public ApprovalNeedsStore(String agent, Collection<String> tools) {
    super(
        "agent.approval-needs-store",
        """
        Agent `%s` asks a person before it calls %s, but its run is not saved, so no answer could \
        reach it. Run it with `RunOptions.thread(...).checkpoints(...)`, or let its gate deny \
        these tools.\
        """
            .formatted(agent, String.join(", ", tools.stream().map(t -> "`" + t + "`").toList())));
    this.tools = List.copyOf(tools);
  }

  /// The names of the tools.
  public List<String> tools() {
    return tools;
  }
}
