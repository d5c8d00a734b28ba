package dev.superstep.agent.internal.loop;

import dev.superstep.agent.internal.state.AgentChannels;
import dev.superstep.agent.internal.state.AgentRunState;
import dev.superstep.agent.internal.state.AgentSpec;
import dev.superstep.agent.internal.state.ToolTask;
import dev.superstep.agent.run.AgentEvent;
import dev.superstep.message.Message;
import dev.superstep.message.ToolCall;
import dev.superstep.middleware.Middleware;
import dev.superstep.node.NodeContext;
import dev.superstep.node.NodeResult;
import dev.superstep.node.SendNode;
import dev.superstep.node.Update;
import dev.superstep.state.State;
import dev.superstep.tool.GateDecision;
import dev.superstep.tool.ToolCaller;
import dev.superstep.tool.ToolContext;
import dev.superstep.tool.ToolPiece;
import dev.superstep.tool.ToolResult;
import java.time.Duration;
import java.util.List;

/// Answers one tool call. The engine runs those of a turn side by side, and folds their answers in
/// the order of the calls. Immutable.
final class ToolNode implements SendNode<ToolTask> {
  static final String NOT_RUN = "Not run. " + TurnContext.CANCELLED;

  private static final Duration UNLIMITED = Duration.ofDays(1);

  private final AgentSpec spec;
  private final ToolCallHooks hooks;
  private final ApprovalCheck approvals;
  private final boolean wrapped;

  ToolNode(AgentSpec spec) {
    this.spec = spec;
    this.wrapped = spec.middleware().stream().anyMatch(ToolCallHooks::wraps);
    this.hooks = new ToolCallHooks(spec);
    this.approvals = new ApprovalCheck(spec);
  }

  @Override
  public NodeResult run(ToolTask task, State state, NodeContext node) throws Exception {
    var context = new TurnContext(spec, node, state, state.get(AgentRunState.CHANNEL));
    var call = task.call();
    if (task.refused().isPresent()) {
      return update(call, ToolResult.error(task.refused().get()), context);
    }
    if (context.isCancelled()) return update(call, ToolResult.error(NOT_RUN), context);
    var refused = approvals.refused(call, context);
    if (refused != null) return update(call, refused, context);
    if (!wrapped && ToolCaller.isExpendable(node)) return alone(call, context);
    try (var _ = CallLimits.permit(context)) {
      return update(call, done(call, context, inner -> run(inner, call, context)), context);
    }
  }

  /// Answers a call that a hook makes beside those of the model.
  ToolResult inside(ToolCall call, TurnContext context) throws Exception {
    return switch (spec.calling().caller().check(call)) {
      case ToolCaller.Checked.Bad(_, _, var why) -> ToolResult.error(why);
      case ToolCaller.Checked.Good(var good, var tool) -> {
        if (ToolCallPolicy.verdict(spec, tool, good, context)
            instanceof GateDecision.Deny(var reason)) {
          context.emit(new AgentEvent.ToolDenied(spec.name(), good.id(), good.tool()));
          yield ToolResult.error("The call was refused. " + reason);
        }
        var refused = approvals.refused(good, context);
        if (refused != null) yield refused;
        yield done(good, context, inner -> run(inner, good, context));
      }
    };
  }

  /// Runs a call on the thread of the node. If that is left behind with the call, hooks that had
  /// been around it would be, too; so there are none.
  private NodeResult alone(ToolCall call, TurnContext context) throws Exception {
    var started = started(call, context);
    return switch (admitted(started.call(), call, context)) {
      case ToolCaller.Checked.Bad(_, _, var why) ->
          update(call, ended(started, ToolResult.error(why), context), context);
      case ToolCaller.Checked.Good good -> {
        var around =
            new ToolContext.Surroundings(
                context.state(), timeLeft(context), p -> publish(p, context));
        yield spec.calling()
            .caller()
            .call(
                good,
                context.node(),
                around,
                (result, now) -> {
                  var rest = context.on(now);
                  return update(call, ended(started, result, rest), rest);
                });
      }
    };
  }

  /// A call that has begun, as middleware has made it.
  private record Started(ToolCall call, long nanos) {}

  /// The writes for a call and its result.
  Update update(ToolCall call, ToolResult result, TurnContext context) {
    var message = ToolCaller.message(call, result);
    var update = context.with(List.<Message>of(message));
    if (result.patch().isPresent()) update = update.and(result.patch().get());
    return result.isFinal() ? update.and(AgentChannels.FINAL, message) : update;
  }

  /// Answers a call, with the hooks and events that belong to it.
  ///
  /// @param inside answers the call inside of all middleware
  ToolResult done(ToolCall call, TurnContext context, Middleware.ToolNext inside) throws Exception {
    var started = started(call, context);
    return ended(started, hooks.call(started.call(), context, inside), context);
  }

  private Started started(ToolCall call, TurnContext context) throws Exception {
    long start = System.nanoTime();
    var changed = hooks.before(call, context);
    context.emit(new AgentEvent.ToolStarted(spec.name(), call.id(), changed.tool()));
    return new Started(changed, start);
  }

  private ToolResult ended(Started started, ToolResult made, TurnContext context) throws Exception {
    var call = started.call();
    var result = hooks.after(call, made, context);
    var took = Duration.ofNanos(System.nanoTime() - started.nanos());
    context.emit(
        result.error()
            ? new AgentEvent.ToolFailed(spec.name(), call.id(), call.tool(), took)
            : new AgentEvent.ToolCompleted(spec.name(), call.id(), call.tool(), took));
    return result;
  }

  /// Runs a call that is inside of all middleware.
  ///
  /// @param sent as it was before middleware
  ToolResult run(ToolCall call, ToolCall sent, TurnContext context) throws InterruptedException {
    var caller = spec.calling().caller();
    return switch (admitted(call, sent, context)) {
      case ToolCaller.Checked.Bad(_, _, var why) -> ToolResult.error(why);
      case ToolCaller.Checked.Good good ->
          caller.call(
              good, context.node(), context.state(), timeLeft(context), p -> publish(p, context));
    };
  }

  /// A call that is about to be made. What was sent here was let pass; what middleware made of it
  /// is another call, of which nothing is known and which nobody has approved.
  ///
  /// @param sent as it was before middleware
  ToolCaller.Checked admitted(ToolCall call, ToolCall sent, TurnContext context) {
    var caller = spec.calling().caller();
    if (call.equals(sent)) return caller.checked(call);
    var checked = caller.check(call);
    if (!(checked instanceof ToolCaller.Checked.Good(var good, var tool))) return checked;
    return switch (ToolCallPolicy.verdict(spec, tool, good, context)) {
      case GateDecision.Allow _ -> checked;
      case GateDecision.Deny(var reason) -> denied(good, reason, context);
      case GateDecision.Confirm(var reason) ->
          denied(
              good, "It was changed, and as it is now nobody has approved it. " + reason, context);
    };
  }

  private ToolCaller.Checked denied(ToolCall call, String reason, TurnContext context) {
    context.emit(new AgentEvent.ToolDenied(spec.name(), call.id(), call.tool()));
    return new ToolCaller.Checked.Bad(call, false, "The call was refused. " + reason);
  }

  private void publish(ToolPiece piece, TurnContext context) {
    context.node().heartbeat();
    context.emit(
        new AgentEvent.ToolProgress(spec.name(), piece.call(), piece.tool(), piece.text()));
    for (var one : spec.middleware()) one.onToolDelta(piece, context);
  }

  private static Duration timeLeft(TurnContext context) {
    var least = Duration.ofMillis(1);
    var left = context.timeLeft().orElse(UNLIMITED);
    return left.compareTo(least) < 0 ? least : left;
  }
}
