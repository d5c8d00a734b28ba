package dev.superstep.agent.internal.loop;

import dev.superstep.agent.internal.state.AgentNodes;
import dev.superstep.agent.internal.state.AgentRunState;
import dev.superstep.agent.internal.state.AgentSpec;
import dev.superstep.agent.internal.state.SteeringState;
import dev.superstep.agent.run.StopReason;
import dev.superstep.agent.steering.Steer;
import dev.superstep.agent.steering.Steering;
import dev.superstep.message.Message;
import dev.superstep.node.Command;
import dev.superstep.node.Node;
import dev.superstep.node.NodeContext;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Update;
import dev.superstep.state.State;
import java.util.ArrayList;
import java.util.List;

/// Waits on command: for a person to let the agent continue, or for an answer. The wait is part of
/// the state, so it may outlast the process. Immutable.
final class SteerNode implements Node {
  private final AgentSpec spec;

  SteerNode(AgentSpec spec) {
    this.spec = spec;
  }

  @Override
  public NodeResult run(State state, NodeContext node) throws Exception {
    var context = new TurnContext(spec, node, state, state.get(AgentRunState.CHANNEL));
    var steered = state.get(SteeringState.CHANNEL);
    var inbox = context.inbox();
    if (inbox.isPresent() && inbox.get().isCancelled()) return goOn(steered, context);
    var added = new ArrayList<Message>();
    var cancelled = false;
    boolean isResumed = inbox.isPresent() && isResumed(inbox.get(), context);
    for (var command : steered.waiting()) {
      switch (command.steer()) {
        case Steer.Pause(var reason) ->
            cancelled |= !isResumed && !node.interrupt(Steering.PAUSED, reason).approved();
        case Steer.AskClarifyingQuestion(var question) -> {
          var answer = node.interrupt(Steering.CLARIFY, question);
          added.add(Message.assistant(question));
          added.add(Message.user(answer));
        }
        default -> throw new IllegalStateException("nothing to wait for: " + command);
      }
    }
    var next = Command.to(cancelled ? AgentNodes.FINISH : AgentNodes.MODEL);
    if (cancelled) {
      var runState = context.runState();
      var ended = runState.ended(StopReason.CANCELLED, "Cancelled.", java.util.Optional.empty());
      next = next.with(Update.of(AgentRunState.CHANNEL, ended));
    }
    return next.with(Update.of(SteeringState.CHANNEL, steered.resumed())).with(context.with(added));
  }

  private static boolean isResumed(Steering.Inbox inbox, TurnContext context) throws Exception {
    var commands = inbox.pollResume();
    for (var command : commands) {
      context.beforeSteering(command);
      context.settle(inbox, command, Steering.State.APPLIED, "");
    }
    return !commands.isEmpty();
  }

  /// Waits no longer: before the next turn the agent sees that it is cancelled.
  private static NodeResult goOn(SteeringState steered, TurnContext context) {
    return Command.to(AgentNodes.MODEL)
        .with(Update.of(SteeringState.CHANNEL, steered.resumed()))
        .with(context.with(List.of()));
  }
}
