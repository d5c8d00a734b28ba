package dev.superstep.agent.internal.loop;

import dev.superstep.agent.internal.state.AgentChannels;
import dev.superstep.agent.internal.state.AgentSpec;
import dev.superstep.agent.run.AgentEvent;
import dev.superstep.agent.run.Review;
import dev.superstep.call.CallContext;
import dev.superstep.json.Json;
import dev.superstep.message.ToolCall;
import dev.superstep.tool.GateDecision;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolCaller;
import dev.superstep.tool.ToolResult;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Checks, when a call is about to be made, that a person has approved it if one has to. The
/// approval is missing if the thread was rewound, forked or copied since it was given, and too old
/// if the run was stopped for long; then a person is asked again. Immutable.
record ApprovalCheck(AgentSpec spec) {
  private static final List<String> ALLOWED = List.of("approve", "reject", "respond");

  /// Returns the answer to a call that may not be made; null if it may.
  @Nullable ToolResult refused(ToolCall call, TurnContext context) throws Exception {
    if (!(spec.calling().caller().checked(call) instanceof ToolCaller.Checked.Good(_, var tool))) {
      return null;
    }
    var verdict = ToolCallPolicy.verdict(spec, tool, call, context);
    if (!(verdict instanceof GateDecision.Confirm(var reason))) return null;
    return isApproved(call, context) ? null : asked(call, tool, reason, context);
  }

  private boolean isApproved(ToolCall call, TurnContext context) throws Exception {
    var node = context.node();
    for (var approved : context.state().get(AgentChannels.APPROVED).reversed()) {
      if (!approved.allows(call, node)) continue;
      if (approved.at().isEmpty()) return true;
      var given = approved.at().get();
      var time = node instanceof CallContext own ? own.approvalTime() : Duration.ofHours(24);
      // Saved, so that a replay decides as this run did.
      return node.step(
          "approved", Boolean.class, () -> node.clock().instant().isBefore(given.plus(time)));
    }
    return false;
  }

  private @Nullable ToolResult asked(ToolCall call, Tool tool, String reason, TurnContext context) {
    var arguments = Json.parse(call.arguments().isBlank() ? "{}" : call.arguments());
    var action = new Review.Action(call.tool(), arguments, Optional.of(reason));
    var schema = Optional.of(tool.spec().parameters());
    var config = new Review.Config(call.tool(), ALLOWED, schema);
    var review = new Review(List.of(action), List.of(config), Optional.empty());
    return switch (ReviewNode.decisions(context.node(), review).getFirst()) {
      case Review.Decision.Approve _ -> null;
      case Review.Decision.Respond(var message) -> ToolResult.of(message);
      case Review.Decision.Reject(var message) -> rejected(call, message, context);
      case Review.Decision.Edit _ ->
          rejected(call, Optional.of("It cannot be changed any more; call again."), context);
    };
  }

  private ToolResult rejected(ToolCall call, Optional<String> message, TurnContext context) {
    context.emit(new AgentEvent.ToolDenied(spec.name(), call.id(), call.tool()));
    return ToolResult.error(
        "A person rejected the call." + message.map(text -> " " + text).orElse(""));
  }
}
