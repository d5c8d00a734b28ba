package dev.superstep.repl.internal.call;

import dev.superstep.agent.Agent;

/// Makes the agents whose sessions run inside of a session. Immutable.
@FunctionalInterface
public interface ChildSessions {
  /// An agent with the same access.
  ///
  /// @param depth of sessions that it may start
  public Agent<String> agent(int depth);
}
