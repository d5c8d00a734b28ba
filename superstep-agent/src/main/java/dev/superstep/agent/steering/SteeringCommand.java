package dev.superstep.agent.steering;

import java.time.Instant;

/// A command to an agent from outside. Immutable.
///
/// @param id unique; events name it
/// @param target the agent that gets it
/// @param actor the sender
/// @param priority the higher comes first
/// @param created commands of one priority are dealt with in the order in which they were made
/// @param correlation ties it to something of the sender's; breaks what is still a tie
public record SteeringCommand(
    String id,
    Target target,
    Actor actor,
    Steer steer,
    int priority,
    Instant created,
    String correlation) {
  /// The agent that gets a command.
  public sealed interface Target {
    /// The outermost agent of the run.
    record Root() implements Target {}

    /// A run of an agent, by its own id; refused if it is not at work.
    record Run(String run) implements Target {}

    /// The next run of an agent of this name that takes commands.
    record Named(String agent) implements Target {}

    /// The outermost agent on a thread; refused if that is not at work.
    record OnThread(String thread) implements Target {}
  }

  /// The sender of a command.
  public sealed interface Actor {
    /// A person.
    record Human(String name) implements Actor {}

    /// An agent, of another one that it called, or that one called.
    ///
    /// @param run its own id
    record ParentAgent(String run) implements Actor {}

    /// A graph that runs agents.
    record GraphSupervisor(String graph) implements Actor {}

    /// A middleware.
    record OfMiddleware(String name) implements Actor {}

    /// A test.
    record Test() implements Actor {}
  }

  /// Returns a copy for another target.
  public SteeringCommand to(Target other) {
    return new SteeringCommand(id, other, actor, steer, priority, created, correlation);
  }

  /// Returns a copy with another priority.
  public SteeringCommand withPriority(int other) {
    return new SteeringCommand(id, target, actor, steer, other, created, correlation);
  }

  /// Returns a copy with a value of the sender.
  public SteeringCommand withCorrelation(String other) {
    return new SteeringCommand(id, target, actor, steer, priority, created, other);
  }
}
