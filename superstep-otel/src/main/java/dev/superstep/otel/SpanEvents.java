package dev.superstep.otel;

import dev.superstep.agent.run.AgentEvent;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import java.time.Duration;

/// The span events made of agents' events: names, codes, counts and times, and no text by a model,
/// a tool or a person.
final class SpanEvents {
  private SpanEvents() {}

  static Attributes of(AgentEvent event) {
    var all = Attributes.builder();
    return switch (event) {
      case AgentEvent.RetryScheduled e ->
          all.put(AttributeKeys.ATTEMPT, (long) e.attempt())
              .put(AttributeKeys.DELAY, seconds(e.delay()))
              .put(AttributeKeys.ERROR_TYPE, e.code())
              .build();
      case AgentEvent.FallbackSelected e ->
          all.put(AttributeKeys.REQUEST_MODEL, RequestedModel.of(e.chosen()).model())
              .put(AttributeKeys.ATTEMPT, (long) e.attempt())
              .put(AttributeKeys.ERROR_TYPE, e.code())
              .build();
      case AgentEvent.RateLimitWaited e -> all.put(AttributeKeys.TOOK, seconds(e.waited())).build();
      case AgentEvent.LimitMet e -> what(all, e.reason().name());
      case AgentEvent.BudgetWarning e -> what(all, e.limit().name());
      case AgentEvent.BudgetExceeded e -> what(all, e.limit().name());
      // The model made up its name.
      case AgentEvent.ToolUnknown e -> all.put(AttributeKeys.TOOL_CALL, e.call()).build();
      case AgentEvent.ToolInvalidArguments e -> tool(all, e.call(), e.tool());
      case AgentEvent.ToolDenied e -> tool(all, e.call(), e.tool());
      case AgentEvent.SubagentStarted e -> tool(all, e.call(), e.subagent());
      case AgentEvent.SubagentReused e -> tool(all, e.call(), e.subagent());
      case AgentEvent.SubagentCompleted e -> tool(all, e.call(), e.subagent());
      case AgentEvent.SubagentFailed e ->
          tool(all.put(AttributeKeys.ERROR_TYPE, e.code()), e.call(), e.subagent());
      case AgentEvent.Steered e -> what(all, e.kind() + " " + e.what());
      case AgentEvent.ControlApplied e -> what(all, e.control());
      case AgentEvent.ContentRedacted e -> what(all, e.by());
      case AgentEvent.ContextCompressed e ->
          all.put(AttributeKeys.BEFORE, e.before()).put(AttributeKeys.AFTER, e.after()).build();
      case AgentEvent.MiddlewareFailed e ->
          what(all.put(AttributeKeys.ERROR_TYPE, e.code()), e.middleware() + " " + e.hook());
      case AgentEvent.MiddlewareCompleted e ->
          what(all.put(AttributeKeys.TOOK, seconds(e.took())), e.middleware() + " " + e.hook());
      case AgentEvent _ -> Attributes.empty();
    };
  }

  private static Attributes what(AttributesBuilder all, String what) {
    return all.put(AttributeKeys.WHAT, what).build();
  }

  private static Attributes tool(AttributesBuilder all, String call, String tool) {
    return all.put(AttributeKeys.TOOL_CALL, call).put(AttributeKeys.TOOL_NAME, tool).build();
  }

  private static double seconds(Duration took) {
    return took.toNanos() / 1e9;
  }
}
