package dev.superstep.agent;

import dev.superstep.json.SuperstepException;

/// An agent was asked for the answer of a run that has none.
public final class NotAnswered extends SuperstepException {
  NotAnswered(String why) {
    super(
        "agent.not-answered",
        "The agent has no answer: " + why + ". Use `switch` on the result to tell these apart.");
  }
}
