package dev.superstep.agent.internal.loop;

import dev.superstep.agent.internal.state.SteeringState;
import dev.superstep.agent.steering.Steer;
import dev.superstep.agent.steering.Steering;
import dev.superstep.agent.steering.SteeringCommand;
import dev.superstep.message.Message;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Applies the commands for an agent before its turn. For the thread of the node.
final class SteeringInbox {
  private final TurnContext context;
  private final Optional<Steering.Inbox> inbox;
  private final List<Message> messages = new ArrayList<>();
  private final SteeringState before;
  private SteeringState now;
  private boolean cancelled;

  private SteeringInbox(TurnContext context) {
    this.context = context;
    this.inbox = context.inbox();
    this.before = context.state().find(SteeringState.CHANNEL).orElse(SteeringState.NOTHING);
    this.now = before;
  }

  /// Takes and applies the commands that wait.
  static SteeringInbox at(TurnContext context) throws Exception {
    var boundary = new SteeringInbox(context);
    if (boundary.inbox.isPresent()) boundary.readFrom(boundary.inbox.get());
    return boundary;
  }

  /// The steering state from now on.
  SteeringState now() {
    return now;
  }

  boolean isCancelled() {
    return cancelled;
  }

  boolean waits() {
    return !now.waiting().isEmpty();
  }

  /// The messages for the conversation.
  List<Message> messages() {
    return messages;
  }

  boolean hasChanged() {
    return !now.equals(before);
  }

  private void readFrom(Steering.Inbox from) throws Exception {
    var commands = from.poll();
    for (int i = 0; i < commands.size(); i++) {
      var command = commands.get(i);
      if (cancelled) {
        setStatus(command, Steering.State.SUPERSEDED, "the agent was cancelled");
        continue;
      }
      apply(command);
      if (command.steer().waits()) {
        var rest = commands.subList(i + 1, commands.size());
        for (var one : rest) setStatus(one, Steering.State.DEFERRED, "the agent waits");
        from.defer(rest);
        return;
      }
    }
  }

  private void apply(SteeringCommand command) throws Exception {
    context.beforeSteering(command);
    switch (command.steer()) {
      case Steer.AddInstruction(var text) -> messages.add(Message.user("Instruction: " + text));
      case Steer.ProvideContext(var text) -> messages.add(Message.user("Context: " + text));
      case Steer.Say(var message) -> messages.add(message);
      case Steer.Redirect(var task) ->
          messages.add(Message.user("Leave what you are doing. New task: " + task));
      case Steer.ReplaceInstruction(var text) -> now = now.instructed(text);
      case Steer.ConstrainModel(var model) -> now = now.asking(model);
      case Steer.UpdateBudget(var calls, var tokens) -> now = now.spending(calls, tokens);
      case Steer.ConstrainTools(var only) -> {
        if (constrained(command, only)) return;
      }
      case Steer.Cancel _ -> cancelled = true;
      case Steer.Pause _, Steer.AskClarifyingQuestion _ -> now = now.waitingFor(command);
      case Steer.Resume _, Steer.RequestStatus _ -> {}
      case Steer.Approve _, Steer.Reject _ ->
          throw new IllegalStateException("decisions are taken by the review");
    }
    setStatus(command, Steering.State.APPLIED, "");
  }

  /// Refuses the command if it would widen what the agent may do, and returns true then.
  private boolean constrained(SteeringCommand command, java.util.Set<String> only)
      throws Exception {
    var allowed = new java.util.HashSet<String>();
    for (var tool : context.spec().calling().shown()) allowed.add(tool.name());
    now.onlyTools().ifPresent(allowed::retainAll);
    if (!allowed.containsAll(only)) {
      setStatus(command, Steering.State.REJECTED, "it names tools that the agent may not use");
      return true;
    }
    now = now.only(only);
    return false;
  }

  private void setStatus(SteeringCommand command, Steering.State state, String why)
      throws Exception {
    if (inbox.isPresent()) context.settle(inbox.get(), command, state, why);
  }
}
