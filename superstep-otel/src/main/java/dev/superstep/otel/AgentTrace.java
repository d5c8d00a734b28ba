package dev.superstep.otel;

import dev.superstep.agent.run.AgentEvent;
import dev.superstep.event.Event;
import dev.superstep.event.Origin;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ModelUse;
import dev.superstep.model.Usage;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Makes the spans of the agents of one run, and of their models and tools. For the thread that
/// hears the run.
final class AgentTrace {
  private final TelemetryOutput output;
  private final RunSpans spans;

  AgentTrace(TelemetryOutput output, RunSpans spans) {
    this.output = output;
    this.spans = spans;
  }

  /// An agent that begins, or whose begin was not heard.
  private record Named(String name, String run, Attributes attributes) {}

  void onEvent(Event.NodeEmitted event, AgentEvent told) {
    var at = event.origin();
    var scope = spans.scope(at.path());
    var task = spans.task(event);
    if (told instanceof AgentEvent.AgentStarted started) {
      start(scope, started, at, task);
    } else if (scope.isMissed(told)) {
      var draft = attributes(at.graph(), at).put(AttributeKeys.RESUMED, true);
      open(scope, new Named(at.graph(), "", draft.build()), task, at);
    }
    scope.isAgents();
    var agent = scope.agent();
    switch (told) {
      case AgentEvent.AgentStarted _ -> {}
      case AgentEvent.AgentCompleted e -> {
        if (agent != null) agent.ends(e, event.task());
      }
      case AgentEvent.AgentFailed e -> {
        if (agent != null) agent.blame(e.code());
        if (task != null) task.blame(e.code());
      }
      case AgentEvent.ModelStarted e -> asked(task, e, at);
      case AgentEvent.ModelCompleted e -> answered(task, e, at);
      case AgentEvent.ModelFailed e -> failed(task, e, at);
      case AgentEvent.ModelDelta _ -> onPiece(event, "");
      case AgentEvent.ToolStarted e -> called(task, e, at);
      case AgentEvent.ToolCompleted e -> {
        output.instruments().tool(e.tool(), "", e.took());
        done(task, e.call(), "", at);
      }
      case AgentEvent.ToolFailed e -> {
        output.instruments().tool(e.tool(), "tool.failed", e.took());
        output.instruments().error(at.graph(), "tool", "tool.failed");
        done(task, e.call(), "tool.failed", at);
      }
      case AgentEvent.ToolProgress _ -> {}
      case AgentEvent.MiddlewareFailed e -> {
        if (task != null) task.blame(e.code());
        mark(task, told, at);
      }
      case AgentEvent other -> mark(task, other, at);
    }
  }

  private void start(
      GraphScope scope, AgentEvent.AgentStarted told, Origin at, @Nullable OpenTask task) {
    var before = scope.agent();
    // Told once more when the task that begins it is tried again.
    if (before != null && before.is(told.run())) return;
    if (before != null) before.end(Outcome.ABANDONED, at.at(), output.instruments());
    scope.agent(null);
    var attributes =
        attributes(told.agent(), at)
            .put(AttributeKeys.AGENT_RUN, told.run())
            .put(AttributeKeys.AGENT_ROOT, told.root());
    if (!told.parent().isEmpty()) attributes.put(AttributeKeys.AGENT_PARENT, told.parent());
    open(scope, new Named(told.agent(), told.run(), attributes.build()), task, at);
  }

  private static AttributesBuilder attributes(String agent, Origin at) {
    var attributes =
        Attributes.builder()
            .put(AttributeKeys.OPERATION, "invoke_agent")
            .put(AttributeKeys.AGENT_NAME, agent)
            .put(AttributeKeys.RUN, at.run());
    at.thread().ifPresent(thread -> attributes.put(AttributeKeys.CONVERSATION, thread));
    return attributes;
  }

  /// The agent is around the task in which it began, so it begins when that did.
  private void open(GraphScope scope, Named agent, @Nullable OpenTask task, Origin at) {
    var draft = TelemetryOutput.Draft.of("invoke_agent " + agent.name, agent.attributes);
    var since = task == null || task.isShown() ? at.at() : task.began();
    var span = output.start(draft, scope.parent(), since);
    if (span == null) spans.leaveOut();
    else scope.agent(new OpenAgent(span, agent.name, agent.run));
  }

  private void asked(@Nullable OpenTask task, AgentEvent.ModelStarted told, Origin at) {
    if (task == null) return;
    var name = RequestedModel.of(told.model());
    var attributes =
        name.into(Attributes.builder())
            .put(AttributeKeys.AGENT_NAME, told.agent())
            .put(AttributeKeys.TURN, (long) told.call());
    at.thread().ifPresent(thread -> attributes.put(AttributeKeys.CONVERSATION, thread));
    var draft = new TelemetryOutput.Draft("chat " + name.model(), name.kind(), attributes.build());
    begin(task, draft, told.model(), true, at);
  }

  private void called(@Nullable OpenTask task, AgentEvent.ToolStarted told, Origin at) {
    if (task == null) return;
    var attributes =
        Attributes.builder()
            .put(AttributeKeys.OPERATION, "execute_tool")
            .put(AttributeKeys.TOOL_NAME, told.tool())
            .put(AttributeKeys.TOOL_CALL, told.call())
            .put(AttributeKeys.TOOL_TYPE, "function")
            .put(AttributeKeys.AGENT_NAME, told.agent());
    at.thread().ifPresent(thread -> attributes.put(AttributeKeys.CONVERSATION, thread));
    var draft = TelemetryOutput.Draft.of("execute_tool " + told.tool(), attributes.build());
    begin(task, draft, told.call(), false, at);
  }

  private void begin(
      OpenTask task, TelemetryOutput.Draft draft, String id, boolean model, Origin at) {
    var span = output.start(draft, spans.context(task), at.at());
    if (span == null) spans.leaveOut();
    else task.calls().add(new OpenCall(span, id, model));
  }

  private void answered(@Nullable OpenTask task, AgentEvent.ModelCompleted told, Origin at) {
    var name = RequestedModel.of(told.model());
    var receipt = told.receipt();
    output.instruments().model(name, receipt.model(), "", told.took());
    output.instruments().tokens(name, receipt.model(), told.usage(), told.source());
    var call = task == null ? null : task.removeCall(true, told.model());
    if (call == null) return;
    var finish = told.finish() == ChatReply.Finish.FILTERED ? "content_filter" : lower(told);
    var span = call.span().set(AttributeKeys.FINISH_REASONS, List.of(finish));
    span.set(AttributeKeys.MODEL_SOURCE, told.source().name());
    if (!receipt.id().isEmpty()) span.set(AttributeKeys.RESPONSE_ID, receipt.id());
    if (!receipt.model().isEmpty()) span.set(AttributeKeys.RESPONSE_MODEL, receipt.model());
    usage(span, told.usage());
    call.recordMessages(output.options().capture(), finish);
    span.end(at.at());
  }

  private static String lower(AgentEvent.ModelCompleted told) {
    return told.finish().name().toLowerCase(Locale.ROOT);
  }

  private static void usage(OpenSpan span, Usage usage) {
    if (usage.equals(Usage.NONE)) return;
    span.set(AttributeKeys.INPUT_TOKENS, usage.input())
        .set(AttributeKeys.OUTPUT_TOKENS, usage.output());
    if (usage.cachedInput() > 0) span.set(AttributeKeys.CACHE_READ_TOKENS, usage.cachedInput());
    if (usage.cacheWrite() > 0) span.set(AttributeKeys.CACHE_CREATION_TOKENS, usage.cacheWrite());
    if (usage.reasoning() > 0) span.set(AttributeKeys.REASONING_TOKENS, usage.reasoning());
    if (usage.estimated()) span.set(AttributeKeys.ESTIMATED, true);
  }

  private void failed(@Nullable OpenTask task, AgentEvent.ModelFailed told, Origin at) {
    var name = RequestedModel.of(told.model());
    output.instruments().error(at.graph(), "model", told.code());
    var call = task == null ? null : task.removeCall(true, told.model());
    if (call == null) return;
    output.instruments().model(name, "", told.code(), call.span().age(at.at()));
    call.span().failed(told.code()).end(at.at());
  }

  private static void done(@Nullable OpenTask task, String id, String error, Origin at) {
    var call = task == null ? null : task.removeCall(false, id);
    if (call == null) return;
    var span = call.span();
    if (!error.isEmpty()) span.failed(error);
    span.end(at.at());
  }

  /// A piece of an answer has come.
  void onPiece(Event.OfNode event, String text) {
    var task = spans.task(event);
    var call = task == null ? null : task.asked();
    if (call == null) return;
    var at = event.origin().at();
    if (call.onPiece(at)) output.instruments().firstChunk(call.asked(), call.span().age(at));
    if (output.options().capture().includes(Payload.ANSWERS)) call.hold(text);
  }

  /// A node asked a model without an agent. Agents publish their own requests.
  void used(Event.NodeEmitted event) {
    var task = spans.task(event);
    if (spans.scope(event.origin().path()).ofAgent()) return;
    ModelUse use;
    try {
      use = event.payload().as(ModelUse.class);
    } catch (RuntimeException _) {
      return;
    }
    var name = RequestedModel.of(use.model());
    output.instruments().tokens(name, "", use.usage(), use.source());
    if (task == null) return;
    var attributes =
        name.into(Attributes.builder())
            .put(AttributeKeys.MODEL_SOURCE, use.source().name())
            .put(AttributeKeys.INPUT_TOKENS, use.usage().input())
            .put(AttributeKeys.OUTPUT_TOKENS, use.usage().output());
    spans.span(task).mark("superstep.model.used", attributes.build(), event.origin().at());
  }

  private void mark(@Nullable OpenTask task, AgentEvent event, Origin at) {
    var span = task == null ? spans.run() : spans.innermost(task);
    span.mark("superstep." + event.name(), SpanEvents.of(event), at.at());
  }
}
