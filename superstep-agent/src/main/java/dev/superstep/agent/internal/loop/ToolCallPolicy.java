package dev.superstep.agent.internal.loop;

import dev.superstep.agent.internal.state.AgentNodes;
import dev.superstep.agent.internal.state.AgentRunState;
import dev.superstep.agent.internal.state.AgentSpec;
import dev.superstep.agent.internal.state.AgentTask;
import dev.superstep.agent.internal.state.Delegation;
import dev.superstep.agent.internal.state.ToolTask;
import dev.superstep.agent.run.AgentEvent;
import dev.superstep.json.Json;
import dev.superstep.message.ToolCall;
import dev.superstep.node.Command;
import dev.superstep.node.Send;
import dev.superstep.node.Target;
import dev.superstep.tool.GateDecision;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolCaller;
import dev.superstep.tool.ToolError;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Decides what becomes of the tool calls of a turn: which run, which are refused, which a person
/// has to approve, and which go to other agents. The one place where that is decided. Immutable.
final class ToolCallPolicy {
  private final AgentSpec spec;
  private final Map<String, Target<Delegation>> helpers;
  private final Map<String, Target<ToolTask>> graphs;

  ToolCallPolicy(
      AgentSpec spec,
      Map<String, Target<Delegation>> helpers,
      Map<String, Target<ToolTask>> graphs) {
    this.spec = spec;
    this.helpers = Map.copyOf(helpers);
    this.graphs = Map.copyOf(graphs);
  }

  /// A call and what is to become of it.
  sealed interface ToolCallDecision {
    ToolCall call();

    /// It runs.
    record Runs(ToolCall call) implements ToolCallDecision {}

    /// It goes to another agent.
    record Delegated(ToolCall call, String task) implements ToolCallDecision {}

    /// A person is asked first.
    record Asks(ToolCall call, Tool tool, String reason) implements ToolCallDecision {}

    /// It is answered by an error.
    record Refused(ToolCall call, String why) implements ToolCallDecision {}
  }

  /// Decides on each call.
  ///
  /// @throws dev.superstep.tool.ToolError if one cannot be run, and the policy says so
  List<ToolCallDecision> callDecisions(List<ToolCall> calls, TurnContext context) {
    var callDecisions = new ArrayList<ToolCallDecision>(calls.size());
    for (var call : calls) callDecisions.add(callDecision(call, context, true));
    return callDecisions;
  }

  /// @param asks whether a person may still have to be asked
  private ToolCallDecision callDecision(ToolCall call, TurnContext context, boolean asks) {
    return switch (spec.calling().caller().check(call)) {
      case ToolCaller.Checked.Bad(var bad, var unknown, var why) -> {
        context.emit(
            unknown
                ? new AgentEvent.ToolUnknown(spec.name(), bad.id(), ToolError.quote(bad.tool()))
                : new AgentEvent.ToolInvalidArguments(spec.name(), bad.id(), bad.tool()));
        yield new ToolCallDecision.Refused(bad, why);
      }
      case ToolCaller.Checked.Good(var good, var tool) -> judged(good, tool, context, asks);
    };
  }

  private ToolCallDecision judged(ToolCall call, Tool tool, TurnContext context, boolean asks) {
    return switch (verdict(spec, tool, call, context)) {
      case GateDecision.Deny(var reason) -> {
        context.emit(new AgentEvent.ToolDenied(spec.name(), call.id(), call.tool()));
        yield new ToolCallDecision.Refused(call, "The call was refused. " + reason);
      }
      case GateDecision.Confirm(var reason) when asks ->
          new ToolCallDecision.Asks(call, tool, reason);
      case GateDecision.Confirm _, GateDecision.Allow _ -> allowed(call);
    };
  }

  /// The decision of steering and gate on a call, as it is.
  static GateDecision verdict(AgentSpec spec, Tool tool, ToolCall call, TurnContext context) {
    var only = context.steered().onlyTools();
    var told =
        only.isPresent() && !only.get().contains(call.tool())
            ? new GateDecision.Deny("It is not allowed any more.")
            : GateDecision.allow();
    return told.and(spec.calling().gate().judge(tool, call));
  }

  /// A call that a person has approved, perhaps after a change.
  ToolCallDecision approved(ToolCall call, TurnContext context) {
    return callDecision(call, context, false);
  }

  private ToolCallDecision allowed(ToolCall call) {
    if (!helpers.containsKey(call.tool())) return new ToolCallDecision.Runs(call);
    var task = Json.parse(call.arguments()).as(AgentTask.class);
    return new ToolCallDecision.Delegated(call, task.task());
  }

  /// Returns true if a person has to be asked.
  static boolean asks(List<ToolCallDecision> callDecisions) {
    for (var callDecision : callDecisions)
      if (callDecision instanceof ToolCallDecision.Asks) return true;
    return false;
  }

  /// Sends each call where it belongs, in the order of the calls.
  Command sent(List<ToolCallDecision> callDecisions, TurnContext context) {
    var sends = new ArrayList<Send<?>>(callDecisions.size());
    for (var callDecision : callDecisions) sends.add(sent(callDecision, context));
    return Command.send(sends);
  }

  private Send<?> sent(ToolCallDecision callDecision, TurnContext context) {
    return switch (callDecision) {
      case ToolCallDecision.Runs(var call) -> {
        var target = graphs.getOrDefault(call.tool(), AgentNodes.TOOLS);
        yield Send.to(target, new ToolTask(call, Optional.empty()));
      }
      case ToolCallDecision.Refused(var call, var why) -> task(call, Optional.of(why));
      case ToolCallDecision.Asks(var call, _, var reason) -> task(call, Optional.of(reason));
      case ToolCallDecision.Delegated(var call, var task) -> delegated(call, task, context);
    };
  }

  private static Send<?> task(ToolCall call, Optional<String> refused) {
    return Send.to(AgentNodes.TOOLS, new ToolTask(call, refused));
  }

  /// Returns how many agents may be nested, by the limits of this one and of those around it.
  private int deepest() {
    int deepest = Integer.MAX_VALUE;
    for (var one = spec; one != null; one = one.caller()) {
      deepest = Math.min(deepest, one.limits().depth());
    }
    return deepest;
  }

  private Send<?> delegated(ToolCall call, String task, TurnContext context) {
    var identity = context.runState().identity();
    var around = new ArrayList<>(identity.around());
    int deepest = deepest();
    if (around.size() + 1 >= deepest) {
      return task(
          call,
          Optional.of(
              "Agents may call agents %d deep, and this is that deep. Do the work yourself."
                  .formatted(deepest)));
    }
    around.add(new AgentRunState.Around(identity.run(), context.spent()));
    context.emit(new AgentEvent.SubagentStarted(spec.name(), call.id(), call.tool()));
    var target = helpers.get(call.tool());
    return Send.to(java.util.Objects.requireNonNull(target), new Delegation(call, task, around));
  }
}
