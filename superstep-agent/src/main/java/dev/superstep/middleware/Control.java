package dev.superstep.middleware;

import dev.superstep.agent.run.StopReason;

/// A request of a middleware for how an agent continues. Of several requests the agent obeys the
/// one with the highest rank, whoever made it first; of equals, the first.
public sealed interface Control {
  /// The higher one wins.
  int rank();

  /// Ask the model again, without running the tools that it asked for. Calls that were left open
  /// are answered by an error.
  record ToModel() implements Control {
    @Override
    public int rank() {
      return 0;
    }
  }

  /// End with this answer.
  record StopWith(String answer) implements Control {
    @Override
    public int rank() {
      return 1;
    }
  }

  /// Stop with an error, as the agent's limits do; see [dev.superstep.agent.run.OnLimit].
  record Fail(StopReason reason) implements Control {
    @Override
    public int rank() {
      return 2;
    }
  }
}
