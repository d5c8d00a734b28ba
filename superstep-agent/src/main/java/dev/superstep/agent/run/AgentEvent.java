package dev.superstep.agent.run;

import dev.superstep.budget.Budget;
import dev.superstep.event.Event;
import dev.superstep.event.EventListener;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ResolvedModel;
import dev.superstep.model.Usage;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/// An event of an agent at work. It arrives in the events of the run, as [Event.NodeEmitted] under
/// the name given with each case here, so it is streamed, saved in the journal and filtered like
/// all others. It holds no text of prompts, answers, arguments or results. Immutable.
///
/// ```java
/// options.listener(AgentEvent.listener(event -> ...))
/// ```
public sealed interface AgentEvent {
  /// `agent.started`: an agent began, from new input.
  ///
  /// @param run the agent's own id
  /// @param parent that of the agent which called it; empty if none did
  /// @param root that of the outermost agent
  record AgentStarted(String agent, String run, String parent, String root) implements AgentEvent {}

  /// `agent.labelled`: the labels of an agent that began, if it has any.
  ///
  /// @param run the agent's own id
  record AgentLabelled(String agent, String run, Map<String, String> labels)
      implements AgentEvent {}

  /// `agent.completed`: it has an answer, or gave up with a partial result.
  record AgentCompleted(
      String agent, String run, StopReason reason, int modelCalls, int toolCalls, Usage usage)
      implements AgentEvent {}

  /// `agent.failed`: it threw; finished work is saved.
  record AgentFailed(String agent, String run, String code) implements AgentEvent {}

  /// `memory.loaded`: the conversation so far was taken from the thread.
  record MemoryLoaded(String agent, int messages) implements AgentEvent {}

  /// `memory.saved`: what the agent added is in the thread.
  record MemorySaved(String agent, int messages) implements AgentEvent {}

  /// `model.started`: a model is asked.
  ///
  /// @param call counts the turns of the run, from 1
  /// @param prefix the fingerprint of what stays the same from turn to turn
  record ModelStarted(String agent, int call, String model, String prefix) implements AgentEvent {}

  /// `model.delta`: the model thinks, or makes a tool call. Its text comes as [Event.TextArrived],
  /// and so does an answer of a type, in JSON, also if it is made as a tool call. Provisional until
  /// `node.finished`.
  record ModelDelta(String agent, int call, What what, String text) implements AgentEvent {
    /// The content that the piece belongs to.
    public enum What {
      /// Of its thoughts.
      THINKING,
      /// Of the arguments of a tool call.
      TOOL_CALL
    }
  }

  /// `model.completed`: it replied.
  record ModelCompleted(
      String agent,
      int call,
      String model,
      ChatReply.Finish finish,
      ChatReply.Source source,
      Usage usage,
      int toolCalls,
      ChatReply.Receipt receipt,
      Duration took)
      implements AgentEvent {}

  /// `model.failed`: it could not be asked, or its answer could not be used.
  record ModelFailed(String agent, int call, String model, String code) implements AgentEvent {}

  /// `model.override_skipped`: the model that the request named could not be used.
  record OverrideSkipped(String agent, String requested, String resolved, String why)
      implements AgentEvent {}

  /// `model.fallback_selected`: another model is asked, since the one before failed or was passed
  /// over.
  record FallbackSelected(String agent, String failed, String chosen, String code, int attempt)
      implements AgentEvent {}

  /// `model.fallback_skipped`: another model was not asked, since it could not do what is needed.
  record FallbackSkipped(String agent, String model, String why) implements AgentEvent {}

  /// `model.resolved`: which model a turn asks, if it is not the one of the turn before.
  record ModelChosen(String agent, ResolvedModel model) implements AgentEvent {}

  /// `tool.started`: a call runs.
  record ToolStarted(String agent, String call, String tool) implements AgentEvent {}

  /// `tool.progress`: a tool tells how far it is. Provisional until `node.finished`.
  record ToolProgress(String agent, String call, String tool, String text) implements AgentEvent {}

  /// `tool.completed`: a call has a result.
  record ToolCompleted(String agent, String call, String tool, Duration took)
      implements AgentEvent {}

  /// `tool.failed`: a call was answered by an error.
  record ToolFailed(String agent, String call, String tool, Duration took) implements AgentEvent {}

  /// `tool.unknown`: the model called a tool that it was not offered.
  record ToolUnknown(String agent, String call, String tool) implements AgentEvent {}

  /// `tool.invalid_args`: the model called a tool with arguments that break its schema.
  record ToolInvalidArguments(String agent, String call, String tool) implements AgentEvent {}

  /// `tool.denied`: a call was refused by a rule or by a person.
  record ToolDenied(String agent, String call, String tool) implements AgentEvent {}

  /// `tool.filtered`: some tools are not shown to the model.
  record ToolsFiltered(String agent, List<String> tools) implements AgentEvent {}

  /// `middleware.failed`: a hook threw, and the agent fails with it.
  record MiddlewareFailed(String agent, String middleware, String hook, String code)
      implements AgentEvent {}

  /// `middleware.completed`: a hook that was traced is done.
  record MiddlewareCompleted(String agent, String middleware, String hook, Duration took)
      implements AgentEvent {}

  /// `cache.hit`: an answer was in the response cache.
  record CacheHit(String agent, String model) implements AgentEvent {}

  /// `cache.miss`: it was not.
  record CacheMiss(String agent, String model) implements AgentEvent {}

  /// `cache.layout_changed`: the stable prefix of the prompt is another one than in the turn
  /// before, so the vendor's cache of it is void.
  record CacheLayoutChanged(String agent, List<String> segments, String by) implements AgentEvent {}

  /// `retry.scheduled`: a model is asked again after a delay, or a tool called again.
  ///
  /// @param model its URL, or the name of the tool
  record RetryScheduled(String agent, String model, int attempt, Duration delay, String code)
      implements AgentEvent {}

  /// `rate_limit.waited`: a call waited for its turn.
  record RateLimitWaited(String agent, String model, Duration waited) implements AgentEvent {}

  /// `limit.reached`: the agent is at one of its limits.
  record LimitMet(String agent, StopReason reason, int modelCalls, int toolCalls)
      implements AgentEvent {}

  /// `budget.reserved`: a call may take at most this.
  record BudgetReserved(String agent, long tokens, BigDecimal cost) implements AgentEvent {}

  /// `budget.reconciled`: it took this.
  record BudgetReconciled(String agent, long tokens, BigDecimal cost) implements AgentEvent {}

  /// `budget.warning`: much of a limit is used.
  record BudgetWarning(String agent, Budget.Limit limit) implements AgentEvent {}

  /// `budget.exceeded`: a call was not made, since it might have gone over a limit.
  record BudgetExceeded(String agent, Budget.Limit limit) implements AgentEvent {}

  /// `cost.recorded`: what a call cost. Told where the budget is in money.
  record CostRecorded(String agent, String model, Optional<BigDecimal> cost, String currency)
      implements AgentEvent {}

  /// `subagent.started`: an agent hands a task to another.
  record SubagentStarted(String agent, String call, String subagent) implements AgentEvent {}

  /// `subagent.reused`: it goes on with what was said when it was called before in this run.
  ///
  /// @param messages how many it remembers
  record SubagentReused(String agent, String call, String subagent, int messages)
      implements AgentEvent {}

  /// `subagent.completed`: it has an answer.
  record SubagentCompleted(String agent, String call, String subagent, Usage usage)
      implements AgentEvent {}

  /// `subagent.failed`: it has none, and the model that called it gets an error.
  record SubagentFailed(String agent, String call, String subagent, String code)
      implements AgentEvent {}

  /// `agent.steered`: a command from outside was dealt with.
  record Steered(String agent, String command, String kind, String actor, String what)
      implements AgentEvent {}

  /// `context.compressed`: the model is shown less than was said.
  record ContextCompressed(
      String agent, String by, List<String> sources, long before, long after, boolean keepsPrefix)
      implements AgentEvent {}

  /// `summary.created`: messages were replaced by a summary of them.
  record SummaryCreated(String agent, String summary, List<String> sources) implements AgentEvent {}

  /// `control.applied`: a middleware decided how the agent goes on.
  record ControlApplied(String agent, String control, String by) implements AgentEvent {}

  /// `content.redacted`: something was taken out of a message, or stopped it.
  record ContentRedacted(String agent, String by, String what, int times) implements AgentEvent {}

  /// The name under which a node emits it.
  default String name() {
    return Names.of(getClass());
  }

  /// The agent's event in an event of a run, if it is one.
  static Optional<AgentEvent> of(Event event) {
    if (!(event instanceof Event.NodeEmitted told)) return Optional.empty();
    var type = Names.BY_NAME.get(told.name());
    return type == null ? Optional.empty() : Optional.of(told.payload().as(type));
  }

  /// A listener of a run for the events of agents only.
  static EventListener listener(Consumer<AgentEvent> hears) {
    return event -> of(event).ifPresent(hears);
  }

  /// The names of all cases.
  final class Names {
    static final Map<String, Class<? extends AgentEvent>> BY_NAME = new LinkedHashMap<>();

    static {
      add("agent.started", AgentStarted.class);
      add("agent.labelled", AgentLabelled.class);
      add("agent.completed", AgentCompleted.class);
      add("agent.failed", AgentFailed.class);
      add("memory.loaded", MemoryLoaded.class);
      add("memory.saved", MemorySaved.class);
      add("model.started", ModelStarted.class);
      add("model.delta", ModelDelta.class);
      add("model.completed", ModelCompleted.class);
      add("model.failed", ModelFailed.class);
      add("model.override_skipped", OverrideSkipped.class);
      add("model.fallback_selected", FallbackSelected.class);
      add("model.fallback_skipped", FallbackSkipped.class);
      add("model.resolved", ModelChosen.class);
      add("tool.started", ToolStarted.class);
      add("tool.progress", ToolProgress.class);
      add("tool.completed", ToolCompleted.class);
      add("tool.failed", ToolFailed.class);
      add("tool.unknown", ToolUnknown.class);
      add("tool.invalid_args", ToolInvalidArguments.class);
      add("tool.denied", ToolDenied.class);
      add("tool.filtered", ToolsFiltered.class);
      add("middleware.failed", MiddlewareFailed.class);
      add("middleware.completed", MiddlewareCompleted.class);
      add("cache.hit", CacheHit.class);
      add("cache.miss", CacheMiss.class);
      add("cache.layout_changed", CacheLayoutChanged.class);
      add("retry.scheduled", RetryScheduled.class);
      add("rate_limit.waited", RateLimitWaited.class);
      add("limit.reached", LimitMet.class);
      add("budget.reserved", BudgetReserved.class);
      add("budget.reconciled", BudgetReconciled.class);
      add("budget.warning", BudgetWarning.class);
      add("budget.exceeded", BudgetExceeded.class);
      add("cost.recorded", CostRecorded.class);
      add("subagent.started", SubagentStarted.class);
      add("subagent.reused", SubagentReused.class);
      add("subagent.completed", SubagentCompleted.class);
      add("subagent.failed", SubagentFailed.class);
      add("agent.steered", Steered.class);
      add("context.compressed", ContextCompressed.class);
      add("summary.created", SummaryCreated.class);
      add("control.applied", ControlApplied.class);
      add("content.redacted", ContentRedacted.class);
    }

    private static final ClassValue<String> NAMES =
        new ClassValue<>() {
          @Override
          protected String computeValue(Class<?> type) {
            for (var entry : BY_NAME.entrySet()) {
              if (entry.getValue() == type) return entry.getKey();
            }
            throw new IllegalStateException(type + " has no name");
          }
        };

    private Names() {}

    static String of(Class<?> type) {
      return NAMES.get(type);
    }

    private static void add(String name, Class<? extends AgentEvent> type) {
      BY_NAME.put(name, type);
    }
  }
}
