package dev.superstep.agent.internal.state;

import dev.superstep.agent.run.AgentLabels;
import dev.superstep.agent.run.OnLimit;
import dev.superstep.budget.Budget;
import dev.superstep.message.Message;
import dev.superstep.middleware.Middleware;
import dev.superstep.model.CacheHint;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ModelResolver;
import dev.superstep.model.TokenCounter;
import dev.superstep.model.ToolSpec;
import dev.superstep.state.Channel;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolCaller;
import dev.superstep.tool.ToolDependencies;
import dev.superstep.tool.ToolGate;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// All settings of an agent. Immutable.
///
/// @param caller the agent that calls it, if it is one's sub-agent
/// @param helpers the agents that it may call, by the names of their tools
public record AgentSpec(
    String name,
    Prompt prompt,
    ModelResolver models,
    Calling calling,
    List<Middleware> middleware,
    Map<String, Callee> helpers,
    Limits limits,
    AnswerFormat<?> form,
    Budget budget,
    TokenCounter counter,
    Channel<List<Message>, Message> messages,
    AgentLabels labels,
    @Nullable AgentSpec caller) {

  /// The prompt without the conversation.
  ///
  /// @param examples turns that come before each conversation
  /// @param request changes each request before middleware does
  public record Prompt(
      String instructions,
      List<Message> examples,
      UnaryOperator<ChatRequest> request,
      CacheHint cache) {
    public Prompt {
      examples = List.copyOf(examples);
    }
  }

  /// An agent that may be called.
  ///
  /// @param remembers whether it goes on with its conversation when it is called again
  public record Callee(AgentSpec agent, boolean remembers) {}

  /// The settings for calls of tools.
  ///
  /// @param shown the descriptions of the tools that the gate lets models see
  /// @param hidden the names of the others
  public record Calling(
      ToolCaller caller,
      ToolGate gate,
      ToolDependencies injected,
      int concurrency,
      List<ToolSpec> shown,
      List<String> hidden) {}

  /// The limits of a run.
  ///
  /// @param call the most time for a call of another agent or of a graph; null if there is no limit
  public record Limits(
      int modelCalls,
      int toolCalls,
      @Nullable Duration time,
      @Nullable Duration call,
      int depth,
      OnLimit onLimit) {
    /// Returns a copy with these limits where they are lower.
    public Limits lowered(int models, int tools, int nested) {
      return new Limits(
          Math.min(modelCalls, models),
          Math.min(toolCalls, tools),
          time,
          call,
          Math.min(depth, nested),
          onLimit);
    }
  }

  /// Returns true if an agent among the callees remembers.
  public boolean remembers() {
    return helpers.values().stream().anyMatch(Callee::remembers);
  }

  /// Returns true if calls of its tools run agents or other graphs.
  public boolean callsGraphs() {
    return !helpers.isEmpty() || tools().stream().anyMatch(tool -> tool.graph().isPresent());
  }

  /// All tools.
  public List<Tool> tools() {
    var tools = calling.caller().tools();
    return tools.names().stream().map(name -> tools.find(name).orElseThrow()).toList();
  }

  /// The names of the tools whose calls a person approves, also those of agents that it may call.
  public Set<String> approvedTools() {
    var approved = new TreeSet<String>();
    var gate = calling.gate();
    for (var tool : tools()) {
      if (gate.confirms(tool)) approved.add(tool.name());
      var helper = helpers.get(tool.name());
      if (helper != null && gate.shows(tool)) {
        approved.addAll(helper.agent().within(gate).approvedTools());
      }
    }
    return approved;
  }

  public ToolDependencies injected() {
    return calling.injected();
  }

  /// The name of an agent as that of a tool.
  public static String toolName(String agent) {
    return agent.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "_").replaceAll("^_|_$", "");
  }

  /// Returns a copy that another agent calls. It may do no more than its caller.
  public AgentSpec calledBy(AgentSpec other) {
    return with(other, messages);
  }

  /// Returns a copy on another conversation.
  public AgentSpec on(Channel<List<Message>, Message> conversation) {
    return with(caller, conversation);
  }

  public AgentSpec withModels(ModelResolver others) {
    var called = new LinkedHashMap<String, Callee>();
    helpers.forEach((tool, helper) ->
        called.put(tool, new Callee(helper.agent().withModels(others), helper.remembers())));
    return new AgentSpec(
        name,
        prompt,
        others,
        calling,
        middleware,
        Collections.unmodifiableMap(called),
        limits,
        form,
        budget,
        counter,
        messages,
        labels,
        caller);
  }

  public AgentSpec withInjected(ToolDependencies values) {
    var all = calling.injected().or(values);
    var called = new LinkedHashMap<String, Callee>();
    helpers.forEach((tool, helper) ->
        called.put(tool, new Callee(helper.agent().withInjected(values), helper.remembers())));
    return new AgentSpec(
        name,
        prompt,
        models,
        calling(calling.caller().withInjected(all), calling.gate(), all, calling.concurrency()),
        middleware,
        Collections.unmodifiableMap(called),
        limits,
        form,
        budget,
        counter,
        messages,
        labels,
        caller);
  }

  /// Returns a copy with other limits.
  public AgentSpec with(Limits other) {
    return new AgentSpec(
        name,
        prompt,
        models,
        calling,
        middleware,
        helpers,
        other,
        form,
        budget,
        counter,
        messages,
        labels,
        caller);
  }

  /// Returns a copy within another gate.
  public AgentSpec within(ToolGate outer) {
    return with(caller, messages, narrowed(calling, outer));
  }

  private AgentSpec with(@Nullable AgentSpec by, Channel<List<Message>, Message> conversation) {
    var narrowed = by == null ? calling : narrowed(calling, by.calling.gate());
    return with(by, conversation, narrowed);
  }

  private AgentSpec with(
      @Nullable AgentSpec by, Channel<List<Message>, Message> conversation, Calling narrowed) {
    return new AgentSpec(
        name,
        prompt,
        models,
        narrowed,
        middleware,
        helpers,
        limits,
        form,
        budget,
        counter,
        conversation,
        labels,
        by);
  }

  private static Calling narrowed(Calling own, ToolGate outer) {
    return calling(own.caller(), own.gate().and(outer), own.injected(), own.concurrency());
  }

  public static Calling calling(
      ToolCaller caller, ToolGate gate, ToolDependencies injected, int concurrency) {
    var tools = caller.tools();
    var shown = new java.util.ArrayList<ToolSpec>();
    var hidden = new java.util.ArrayList<String>();
    for (var name : tools.names()) {
      var tool = tools.find(name).orElseThrow();
      if (gate.shows(tool)) shown.add(tool.spec());
      else hidden.add(name);
    }
    return new Calling(
        caller.withGate(gate),
        gate,
        injected,
        concurrency,
        List.copyOf(shown),
        List.copyOf(hidden));
  }
}
