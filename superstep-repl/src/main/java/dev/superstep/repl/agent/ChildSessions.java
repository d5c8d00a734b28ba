package dev.superstep.repl.agent;

import dev.superstep.agent.Agent;

/// Makes the agents whose sessions run inside of a session. Immutable.
@FunctionalInterface
interface ChildSessions {
  /// An agent with the same access.
  ///
  /// @param depth of sessions that it may start
  Agent<String> agent(int depth);
}
