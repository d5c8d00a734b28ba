package dev.superstep.terminal;

import static dev.superstep.terminal.WorkflowState.EVENT;

import dev.superstep.graph.Graph;
import dev.superstep.node.Command;
import dev.superstep.node.NodeContext;
import dev.superstep.node.Update;
import dev.superstep.state.Channel;
import dev.superstep.state.State;
import dev.superstep.terminal.state.ConversationEvent;
import dev.superstep.terminal.state.Progress;
import java.util.List;

/// Collects what a node writes, and says where the conversation goes on. Each event is applied to
/// the progress at once, so that one that is not possible fails in the node that made it. For the
/// thread of a node.
final class Move {
  /// The name of the events of nodes that hold a [ConversationEvent].
  static final String EMITTED = "conversation";

  private final NodeContext context;
  private Progress progress;
  private Update update = new Update(List.of());

  private Move(Progress progress, NodeContext context) {
    this.progress = progress;
    this.context = context;
  }

  static Move from(State state, NodeContext context) {
    return new Move(state.get(WorkflowState.PROGRESS), context);
  }

  NodeContext context() {
    return context;
  }

  Progress progress() {
    return progress;
  }

  Move event(ConversationEvent event) {
    progress = progress.apply(event);
    context.emit(EMITTED, EVENT.encode(event));
    return write(WorkflowState.PROGRESS, event).write(WorkflowState.HISTORY, event);
  }

  <W> Move write(Channel<?, W> channel, W value) {
    update = update.and(channel, value);
    return this;
  }

  Command to(String node) {
    return Command.to(node).with(update);
  }

  /// Goes on after a step that is complete or skipped.
  Command toNextStep() {
    if (progress.step().isPresent()) return to(TerminalWorkflow.PROCEED);
    return event(new ConversationEvent.Finished()).to(Graph.END);
  }

  Command abort() {
    return event(new ConversationEvent.Aborted()).to(Graph.END);
  }
}
