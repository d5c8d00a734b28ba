package dev.superstep.agent;

import dev.superstep.agent.internal.state.AgentChannels;
import dev.superstep.agent.internal.state.AgentSpec;
import dev.superstep.agent.internal.state.AgentTask;
import dev.superstep.agent.internal.state.AnswerFormat;
import dev.superstep.agent.run.AgentLabels;
import dev.superstep.agent.run.AnswerMode;
import dev.superstep.agent.run.OnLimit;
import dev.superstep.agent.run.Repair;
import dev.superstep.budget.Budget;
import dev.superstep.message.AssistantMessage;
import dev.superstep.message.Message;
import dev.superstep.middleware.Middleware;
import dev.superstep.middleware.Retrying;
import dev.superstep.model.CacheHint;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ModelResolver;
import dev.superstep.model.TokenCounter;
import dev.superstep.prompt.PromptTemplate;
import dev.superstep.prompt.PromptValues;
import dev.superstep.tool.OnBadArguments;
import dev.superstep.tool.OnUnknownTool;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolCaller;
import dev.superstep.tool.ToolDependencies;
import dev.superstep.tool.ToolGate;
import dev.superstep.tool.Tools;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// The settings of an agent. One thread at a time; what it builds is immutable.
public final class AgentBuilder {
  static final int MODEL_CALLS = 25;
  static final int TOOL_CALLS = 50;
  static final int CONCURRENCY = 8;
  static final int DEPTH = 8;

  private final String name;
  private final List<Tool> tools = new ArrayList<>();
  private final Map<String, AgentSpec.Callee> helpers = new LinkedHashMap<>();
  private final List<Middleware> middleware = new ArrayList<>();
  private @Nullable ModelResolver models;
  private String instructions = "";
  private List<Message> examples = List.of();
  private AgentLabels labels = AgentLabels.none();
  private UnaryOperator<ChatRequest> request = UnaryOperator.identity();
  private CacheHint cache = CacheHint.SHORT;
  private ToolDependencies injected = ToolDependencies.none();
  private ToolGate gate = ToolGate.open();
  private OnUnknownTool onUnknown = OnUnknownTool.RETURN_ERROR;
  private OnBadArguments onBadArguments = OnBadArguments.RETURN_ERROR;
  private OnLimit onLimit = OnLimit.FAIL;
  private Budget budget = Budget.unlimited();
  private TokenCounter counter = TokenCounter.approximate();
  private AnswerMode answerMode = AnswerMode.AUTO;
  private String answerTool = AnswerFormat.CARRIER;
  private Repair repair = Repair.turns(1);
  private int modelCalls = MODEL_CALLS;
  private int toolCalls = TOOL_CALLS;
  private int concurrency = CONCURRENCY;
  private int depth = DEPTH;
  private @Nullable Duration timeout;
  private @Nullable Duration toolTimeout;

  AgentBuilder(String name) {
    if (name.isBlank()) throw new IllegalArgumentException("name must not be blank");
    this.name = name;
  }

  /// The name of the agent.
  public String name() {
    return name;
  }

  /// Returns a copy of the settings, which may be changed independently.
  public AgentBuilder copy() {
    var copy = new AgentBuilder(name);
    copy.tools.addAll(tools);
    copy.helpers.putAll(helpers);
    copy.middleware.addAll(middleware);
    copy.models = models;
    copy.instructions = instructions;
    copy.examples = examples;
    copy.labels = labels;
    copy.request = request;
    copy.cache = cache;
    copy.injected = injected;
    copy.gate = gate;
    copy.onUnknown = onUnknown;
    copy.onBadArguments = onBadArguments;
    copy.onLimit = onLimit;
    copy.budget = budget;
    copy.counter = counter;
    copy.answerMode = answerMode;
    copy.answerTool = answerTool;
    copy.repair = repair;
    copy.modelCalls = modelCalls;
    copy.toolCalls = toolCalls;
    copy.concurrency = concurrency;
    copy.depth = depth;
    copy.timeout = timeout;
    copy.toolTimeout = toolTimeout;
    return copy;
  }

  /// The model that is asked.
  public AgentBuilder model(ChatModel chatModel) {
    return models(ModelResolver.of(chatModel));
  }

  /// Sets the resolver that chooses a model for each turn.
  public AgentBuilder models(ModelResolver resolver) {
    models = resolver;
    return this;
  }

  /// Sets the instructions that the model gets before every conversation. They are not part of the
  /// conversation.
  public AgentBuilder instructions(String text) {
    instructions = text;
    return this;
  }

  /// Sets the instructions, and examples that come before each conversation, by a template of the
  /// two. What is asked of the agent is made by a template of its own:
  /// `agent.run(template.render(values).messages(), options)`.
  ///
  /// @throws dev.superstep.prompt.PromptError if the values do not fit
  public AgentBuilder prompt(PromptTemplate template, PromptValues values) {
    var prompt = template.render(values);
    var turns = prompt.turns();
    if (!turns.isEmpty() && !(turns.getLast() instanceof AssistantMessage)) {
      throw new IllegalArgumentException(
          "Prompt template `%s` ends with something that the user says. As the prompt of agent `%s` it holds instructions and whole examples; give the rest to run(...)."
              .formatted(template.name(), name));
    }
    instructions = prompt.instructions();
    examples = turns;
    return this;
  }

  /// Adds a label for events and requests, of this agent and of those that it calls; never sent to
  /// a vendor.
  public AgentBuilder label(String label, String value) {
    labels = labels.with(label, value);
    return this;
  }

  /// Adds a label for events and requests of this agent, not of those that it calls.
  public AgentBuilder localLabel(String label, String value) {
    labels = labels.withLocal(label, value);
    return this;
  }

  /// More of what the model may ask for.
  public AgentBuilder tools(Tool... offered) {
    tools.addAll(List.of(offered));
    return this;
  }

  /// More of what the model may ask for.
  public AgentBuilder tools(Tools offered) {
    for (var tool : offered.names()) tools.add(offered.find(tool).orElseThrow());
    return this;
  }

  /// Another agent that the model may give tasks to, each with a run of its own that sees only its
  /// task. Its spending counts for this one, too; it may do no more than this one; if it fails, the
  /// model gets an error. Its tool has its name, with underscores.
  ///
  /// @param description tells the model when to use it
  public AgentBuilder agent(Agent<?> helper, String description) {
    return helper(new AgentSpec.Callee(helper.spec(), false), description);
  }

  /// Adds an agent that remembers: when it is called again in a run of this one, it continues its
  /// conversation. Calls of the same turn do not see each other; later ones see all of them.
  ///
  /// @param description tells the model when to use it
  public AgentBuilder rememberingAgent(Agent<?> helper, String description) {
    return helper(new AgentSpec.Callee(helper.spec(), true), description);
  }

  private AgentBuilder helper(AgentSpec.Callee helper, String description) {
    var tool = AgentSpec.toolName(helper.agent().name());
    helpers.put(tool, helper);
    tools.add(
        Tool.of(
            tool,
            description,
            AgentTask.class,
            (_, _) -> {
              throw new IllegalStateException("tasks of agents are nodes of their own");
            }));
    return this;
  }

  /// Adds middleware for model calls and tool calls, inside of the middleware that was added
  /// before. Unless one of them asks failed models again, [Retrying#standard] does.
  public AgentBuilder middleware(Middleware... more) {
    middleware.addAll(List.of(more));
    return this;
  }

  /// Sets the values that tools find in their context.
  public AgentBuilder injected(ToolDependencies values) {
    injected = values;
    return this;
  }

  /// Which tools may be called, and which only after a person has approved.
  public AgentBuilder gate(ToolGate rules) {
    gate = rules;
    return this;
  }

  /// Changes each request before middleware does, such as `r -> r.withTemperature(0)`.
  public AgentBuilder request(UnaryOperator<ChatRequest> change) {
    request = change;
    return this;
  }

  /// Sets the time for which the vendor should cache the instructions and tools; some minutes
  /// unless set.
  public AgentBuilder promptCache(CacheHint hint) {
    cache = hint;
    return this;
  }

  /// Limits the spending of a run, with the agents that it calls.
  public AgentBuilder budget(Budget most) {
    budget = most;
    return this;
  }

  /// Sets the counter of tokens for prompts that no vendor has counted yet.
  public AgentBuilder tokenCounter(TokenCounter how) {
    counter = how;
    return this;
  }

  /// The most turns of the model in a run; 25 unless set.
  public AgentBuilder modelCalls(int most) {
    modelCalls = atLeast(1, "modelCalls", most);
    return this;
  }

  /// The most tool calls in a run; 50 unless set.
  public AgentBuilder toolCalls(int most) {
    toolCalls = atLeast(0, "toolCalls", most);
    return this;
  }

  /// The most tool calls at once, calls of agents and of tools that are graphs included; 8 unless
  /// set.
  public AgentBuilder concurrency(int most) {
    concurrency = atLeast(1, "concurrency", most);
    return this;
  }

  /// Sets the number of agents that may be nested, this one included; 8 unless set.
  public AgentBuilder depth(int most) {
    depth = atLeast(1, "depth", most);
    return this;
  }

  /// The most time for a run, with the agents that it calls; only the limits on calls bound it
  /// unless set.
  public AgentBuilder timeout(Duration most) {
    timeout = positive("timeout", most);
    return this;
  }

  /// The most time for a tool call whose tool does not say. Unless set, a minute, and no limit for
  /// calls of agents and of tools that are graphs. An agent that is called ends at its limit of
  /// time, with what it has spent; any other graph is interrupted. In both cases the model gets an
  /// error.
  public AgentBuilder toolTimeout(Duration most) {
    toolTimeout = positive("toolTimeout", most);
    return this;
  }

  /// Sets the policy at a limit; the run fails unless set.
  public AgentBuilder onLimit(OnLimit policy) {
    onLimit = policy;
    return this;
  }

  /// Sets the reaction to a call of a tool that was not offered; unless set, the model gets an
  /// error.
  public AgentBuilder onUnknownTool(OnUnknownTool policy) {
    onUnknown = policy;
    return this;
  }

  /// Sets the reaction to a tool call with bad arguments; unless set, the model gets an error.
  public AgentBuilder onBadArguments(OnBadArguments policy) {
    onBadArguments = policy;
    return this;
  }

  /// Sets the way to ask the model for an answer of a type.
  public AgentBuilder answerMode(AnswerMode mode) {
    answerMode = mode;
    return this;
  }

  /// The name of the tool by which the model gives an answer of a type, where its vendor cannot
  /// hold it to a schema; `answer` unless set. No other tool may have it.
  ///
  /// @param tool in snake case
  public AgentBuilder answerTool(String tool) {
    answerTool = tool;
    return this;
  }

  /// Sets the policy for an answer of the wrong form; unless set, the model may correct it once.
  public AgentBuilder repair(Repair policy) {
    repair = policy;
    return this;
  }

  /// An agent that answers with text.
  ///
  /// @throws IllegalStateException if no model was set
  public Agent<String> build() {
    var form = AnswerFormat.text();
    return new Agent<>(spec(form), form);
  }

  /// An agent that answers with a value of a record, or of a sealed interface over records.
  ///
  /// @throws IllegalStateException if no model was set
  /// @throws dev.superstep.json.UnsupportedType if the type has no codec
  public <A> Agent<A> answering(Class<A> type) {
    var form = AnswerFormat.of(type, new AnswerFormat.How(answerMode, repair, answerTool));
    return new Agent<>(spec(form), form);
  }

  private AgentSpec spec(AnswerFormat<?> form) {
    if (models == null) {
      throw new IllegalStateException("Agent `" + name + "` has no model. Call model(...).");
    }
    var all = new ArrayList<>(tools);
    for (var one : middleware) all.addAll(one.tools());
    var called = new LinkedHashMap<>(helpers);
    for (var tool : all) {
      if (tool.graph().orElse(null) instanceof AgentTool<?>(var helper)) {
        called.put(tool.name(), new AgentSpec.Callee(helper.spec(), false));
      }
    }
    if (!form.isText() && all.stream().anyMatch(tool -> tool.name().equals(form.carrier()))) {
      throw new IllegalArgumentException(
          "Agent `%s` has a tool `%s`, which is the name of the one by which its model answers. Rename the tool, or name another by answerTool(...)."
              .formatted(name, form.carrier()));
    }
    var caller =
        ToolCaller.of(Tools.of(all))
            .withInjected(injected)
            .withOnUnknown(onUnknown)
            .withOnBadArguments(onBadArguments);
    if (toolTimeout != null) caller = caller.withTimeout(toolTimeout);
    return new AgentSpec(
        name,
        new AgentSpec.Prompt(instructions, examples, request, cache),
        models,
        AgentSpec.calling(caller, gate, injected, concurrency),
        retried(middleware),
        java.util.Collections.unmodifiableMap(called),
        new AgentSpec.Limits(modelCalls, toolCalls, timeout, toolTimeout, depth, onLimit),
        form,
        budget,
        counter,
        AgentChannels.CONVERSATION,
        labels,
        null);
  }

  private static List<Middleware> retried(List<Middleware> given) {
    if (given.stream().anyMatch(Middleware::retriesModel)) return List.copyOf(given);
    var all = new ArrayList<>(given);
    all.add(Retrying.standard());
    return List.copyOf(all);
  }

  private static Duration positive(String setting, Duration time) {
    if (time.isPositive()) return time;
    throw new IllegalArgumentException(setting + " must be positive, was " + time);
  }

  private static int atLeast(int least, String setting, int value) {
    if (value >= least) return value;
    throw new IllegalArgumentException(setting + " must be at least " + least + ", was " + value);
  }

  @Override
  public String toString() {
    return "AgentBuilder[" + name + ", tools " + tools.stream().map(Tool::name).toList() + "]";
  }
}
