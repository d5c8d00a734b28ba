package dev.superstep.agent.internal.loop;

import dev.superstep.agent.internal.state.AgentSpec;
import dev.superstep.message.ToolCall;
import dev.superstep.middleware.AgentContext;
import dev.superstep.middleware.Middleware;
import dev.superstep.tool.ToolResult;

/// The hooks of middleware around a call of a tool or an agent. Immutable.
record ToolCallHooks(AgentSpec spec) {
  /// Returns whether a middleware runs code around calls, in place of that of the interface.
  static boolean wraps(Middleware one) {
    return MiddlewareHooks.overrides(
        one, "aroundTool", ToolCall.class, AgentContext.class, Middleware.ToolNext.class);
  }

  /// The call that is made.
  ToolCall before(ToolCall call, TurnContext context) throws Exception {
    var changed = call;
    for (var one : spec.middleware()) {
      var before = changed;
      changed =
          MiddlewareHooks.ask(one, "beforeTool", context, () -> one.beforeTool(before, context));
    }
    return changed;
  }

  /// Makes it.
  ToolResult call(ToolCall call, TurnContext context, Middleware.ToolNext made) throws Exception {
    return call(0, call, context, made);
  }

  private ToolResult call(int from, ToolCall call, TurnContext context, Middleware.ToolNext made)
      throws Exception {
    if (from == spec.middleware().size()) return made.call(call);
    var one = spec.middleware().get(from);
    return one.aroundTool(call, context, inner -> call(from + 1, inner, context, made));
  }

  /// Changes the result that is saved.
  ToolResult after(ToolCall call, ToolResult result, TurnContext context) throws Exception {
    var changed = result;
    for (var one : spec.middleware().reversed()) {
      var before = changed;
      changed =
          MiddlewareHooks.ask(
              one, "afterTool", context, () -> one.afterTool(call, before, context));
    }
    return changed;
  }
}
