package dev.superstep.agent;

import dev.superstep.graph.Command;
import dev.superstep.graph.Send;
import dev.superstep.graph.Target;
import dev.superstep.json.Json;
import dev.superstep.message.ToolCall;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolCaller;
import dev.superstep.tool.ToolError;
import dev.superstep.tool.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Decides what becomes of the tool calls of a turn: which run, which are refused, which a person
/// has to approve, and which go to other agents. The one place where that is decided. Immutable.
final class Desk {
  private final AgentSpec spec;
  private final Map<String, Target<AgentGraph.Delegation>> helpers;
  private final Map<String, Target<AgentGraph.ToolTask>> graphs;

  Desk(
      AgentSpec spec,
      Map<String, Target<AgentGraph.Delegation>> helpers,
      Map<String, Target<AgentGraph.ToolTask>> graphs) {
    this.spec = spec;
    this.helpers = Map.copyOf(helpers);
    this.graphs = Map.copyOf(graphs);
  }

  /// A call and what is to become of it.
  sealed interface Fate {
    ToolCall call();

    /// It runs.
    record Runs(ToolCall call) implements Fate {}

    /// It goes to another agent.
    record Delegated(ToolCall call, String task) implements Fate {}

    /// A person is asked first.
    record Asks(ToolCall call, Tool tool, String reason) implements Fate {}

    /// It is answered by an error.
    record Refused(ToolCall call, String why) implements Fate {}
  }

  /// What becomes of each call.
  ///
  /// @throws dev.superstep.tool.ToolError if one cannot be run, and the policy says so
  List<Fate> fates(List<ToolCall> calls, AgentContext context) {
    var fates = new ArrayList<Fate>(calls.size());
    for (var call : calls) fates.add(fate(call, context, true));
    return fates;
  }

  /// @param asks whether a person may still have to be asked
  private Fate fate(ToolCall call, AgentContext context, boolean asks) {
    return switch (spec.calling().caller().check(call)) {
      case ToolCaller.Checked.Bad(var bad, var unknown, var why) -> {
        context.emit(
            unknown
                ? new AgentEvent.ToolUnknown(spec.name(), bad.id(), ToolError.shown(bad.tool()))
                : new AgentEvent.ToolInvalidArguments(spec.name(), bad.id(), bad.tool()));
        yield new Fate.Refused(bad, why);
      }
      case ToolCaller.Checked.Good(var good, var tool) -> judged(good, tool, context, asks);
    };
  }

  private Fate judged(ToolCall call, Tool tool, AgentContext context, boolean asks) {
    return switch (verdict(spec, tool, call, context)) {
      case Verdict.Deny(var reason) -> {
        context.emit(new AgentEvent.ToolDenied(spec.name(), call.id(), call.tool()));
        yield new Fate.Refused(call, "The call was refused. " + reason);
      }
      case Verdict.Confirm(var reason) when asks -> new Fate.Asks(call, tool, reason);
      case Verdict.Confirm _, Verdict.Allow _ -> allowed(call);
    };
  }

  /// Whether a call may be made as it is.
  static Verdict verdict(AgentSpec spec, Tool tool, ToolCall call, AgentContext context) {
    var only = context.steered().onlyTools();
    var told =
        only.isPresent() && !only.get().contains(call.tool())
            ? new Verdict.Deny("It is not allowed any more.")
            : Verdict.allow();
    return told.and(spec.calling().gate().judge(tool, call));
  }

  /// A call that a person has approved, perhaps after a change.
  Fate approved(ToolCall call, AgentContext context) {
    return fate(call, context, false);
  }

  private Fate allowed(ToolCall call) {
    if (!helpers.containsKey(call.tool())) return new Fate.Runs(call);
    var task = Json.parse(call.arguments()).as(AgentTask.class);
    return new Fate.Delegated(call, task.task());
  }

  /// Whether a person has to be asked.
  static boolean asks(List<Fate> fates) {
    for (var fate : fates) if (fate instanceof Fate.Asks) return true;
    return false;
  }

  /// Sends each call where it belongs, in the order of the calls.
  Command sent(List<Fate> fates, AgentContext context) {
    var sends = new ArrayList<Send<?>>(fates.size());
    for (var fate : fates) sends.add(sent(fate, context));
    return Command.send(sends);
  }

  private Send<?> sent(Fate fate, AgentContext context) {
    return switch (fate) {
      case Fate.Runs(var call) -> {
        var target = graphs.getOrDefault(call.tool(), AgentGraph.TOOLS);
        yield Send.to(target, new AgentGraph.ToolTask(call, Optional.empty()));
      }
      case Fate.Refused(var call, var why) -> task(call, Optional.of(why));
      case Fate.Asks(var call, _, var reason) -> task(call, Optional.of(reason));
      case Fate.Delegated(var call, var task) -> delegated(call, task, context);
    };
  }

  private static Send<?> task(ToolCall call, Optional<String> refused) {
    return Send.to(AgentGraph.TOOLS, new AgentGraph.ToolTask(call, refused));
  }

  private Send<?> delegated(ToolCall call, String task, AgentContext context) {
    var identity = context.progress().identity();
    var around = new ArrayList<>(identity.around());
    if (around.size() + 1 >= spec.limits().depth()) {
      return task(
          call,
          Optional.of(
              "Agents may call agents %d deep, and this is that deep. Do the work yourself."
                  .formatted(spec.limits().depth())));
    }
    around.add(new Progress.Around(identity.run(), context.spent()));
    context.emit(new AgentEvent.SubagentStarted(spec.name(), call.id(), call.tool()));
    var target = helpers.get(call.tool());
    return Send.to(
        java.util.Objects.requireNonNull(target), new AgentGraph.Delegation(call, task, around));
  }
}
