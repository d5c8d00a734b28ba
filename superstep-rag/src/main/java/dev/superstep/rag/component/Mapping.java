package dev.superstep.rag.component;

import dev.superstep.state.State;

/// Makes something of the state, under a name that texts use: the task of an agent, the user
/// message of a model, the input or the result of a graph, the key of a cache, the list of
/// arguments that a node sends. Free of side effects and safe for many threads.
@FunctionalInterface
public interface Mapping {
  /// The value: a string for a task or a message, a list for `sends`, a map by field or an
  /// [dev.superstep.run.Input] for a graph, a value of a closed type for a cache.
  Object of(State state);

  /// The value for a node that was sent an argument; the argument itself unless overridden.
  default Object of(State state, Object argument) {
    return argument;
  }
}
