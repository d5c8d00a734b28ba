package dev.superstep.agent.steering;

import java.util.List;
import java.util.Optional;

/// The rules for who may send which commands to whom. Safe for many threads.
@FunctionalInterface
public interface SteeringPolicy {
  /// The reason why a command is refused, or empty if it is allowed.
  ///
  /// @param around the ids of the agents around the target, the outermost first
  Optional<String> refusal(SteeringCommand command, List<String> around);

  /// People, graphs, middleware and tests may command all agents; an agent only those that it
  /// called, and those that they called.
  static SteeringPolicy standard() {
    return (command, around) ->
        command.actor() instanceof SteeringCommand.Actor.ParentAgent(var run)
                && !around.contains(run)
            ? Optional.of("an agent steers only those that it called")
            : Optional.empty();
  }

  /// The standard policy, for these kinds of commands only.
  @SafeVarargs
  @SuppressWarnings("varargs")
  static SteeringPolicy only(Class<? extends Steer>... kinds) {
    var allowed = List.of(kinds);
    return (command, around) ->
        allowed.contains(command.steer().getClass())
            ? standard().refusal(command, around)
            : Optional.of(command.steer().getClass().getSimpleName() + " is not allowed");
  }
}
