package dev.superstep.agent.steering;

import dev.superstep.message.UserMessage;
import java.util.Optional;
import java.util.Set;

/// An instruction to an agent at work. Constraints only ever narrow what the agent may do.
public sealed interface Steer {
  /// Adds an instruction at the end of the conversation.
  record AddInstruction(String text) implements Steer {}

  /// Says something to it, as who runs it would: the message as it is.
  record Say(UserMessage message) implements Steer {}

  /// Replaces its instructions.
  record ReplaceInstruction(String text) implements Steer {}

  /// Makes it ask a person this before it goes on; the answer becomes part of the conversation.
  record AskClarifyingQuestion(String question) implements Steer {}

  /// Adds something to know to the conversation.
  record ProvideContext(String text) implements Steer {}

  /// Leaves it only these of its tools.
  record ConstrainTools(Set<String> only) implements Steer {
    public ConstrainTools {
      only = Set.copyOf(only);
    }
  }

  /// Makes it ask this model, if it is one that it may ask.
  record ConstrainModel(String model) implements Steer {}

  /// Makes it wait, until [Resume] or the answer to [Steering#PAUSED]. A run that has ended since
  /// it waits is resumed with the command: [dev.superstep.agent.Agent#resume].
  record Pause(String reason) implements Steer {}

  /// Ends its [Pause]. Of no effect if it does not wait because of one.
  record Resume() implements Steer {}

  /// Stops it before any other command, with the agents that it called, also where it waits for a
  /// person. Tools that have begun end; others do not begin any more.
  record Cancel(String reason) implements Steer {}

  /// Approves a tool call that a person would be asked about, before it comes to that. A question
  /// that is open is answered like any other: [dev.superstep.agent.Agent#resume].
  ///
  /// @param call the id of the call
  record Approve(String call) implements Steer {}

  /// Refuses a tool call that a person would be asked about, before it comes to that.
  record Reject(String call, String message) implements Steer {}

  /// Gives it another task; what it did so far stays in the conversation.
  record Redirect(String task) implements Steer {}

  /// Asks how far it is: [Steering#status].
  record RequestStatus() implements Steer {}

  /// Lowers what it may spend from now on, in all.
  record UpdateBudget(Optional<Long> calls, Optional<Long> totalTokens) implements Steer {}

  /// Returns true if the agent has to stop and wait for it.
  default boolean waits() {
    return this instanceof Pause || this instanceof AskClarifyingQuestion;
  }
}
