package dev.superstep.agent;

import dev.superstep.event.TextPiece;
import dev.superstep.graph.Node;
import dev.superstep.graph.NodeContext;
import dev.superstep.graph.Update;
import dev.superstep.message.Message;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ModelRef;
import dev.superstep.state.Channel;
import dev.superstep.tool.Injected;
import dev.superstep.tool.OnBadCall;
import dev.superstep.tool.ToolBatch;
import dev.superstep.tool.ToolProgress;
import dev.superstep.tool.Tools;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// A model with tools and limits. It asks the model, runs the tools that the model calls for, shows
/// it the results, and so on until the model answers or a limit is met.
///
/// ```java
/// var agent = Agent.named("support").model(model).instructions("Be kind.").tools(tools).build();
/// var result = agent.run(List.of(Message.user("Where is my parcel?")));
/// ```
///
/// Immutable, safe for many threads. Interrupting the thread of a run stops it and all its tools.
public final class Agent {
  private final String name;
  private final ModelCall modelCall;
  private final ToolBatch toolBatch;
  private final Limits limits;

  /// What a run may spend.
  record Limits(int modelCalls, int toolCalls, @Nullable Duration time, OnLimit onLimit) {}

  private Agent(String name, ModelCall modelCall, ToolBatch toolBatch, Limits limits) {
    this.name = name;
    this.modelCall = modelCall;
    this.toolBatch = toolBatch;
    this.limits = limits;
  }

  /// Begins an agent; a model is required, all else has defaults.
  public static Builder named(String name) {
    return new Builder(name);
  }

  /// Continues a conversation. If it ends in tool calls without answers, those are run first.
  ///
  /// @throws LimitReached if a limit is met and the agent does not return partial results
  /// @throws dev.superstep.model.ModelException if the model fails, or answers nothing twice
  /// @throws InterruptedException if the calling thread is interrupted
  public AgentResult run(List<? extends Message> conversation) throws InterruptedException {
    return run(conversation, AgentListener.NONE);
  }

  /// Continues a conversation and tells a listener what happens.
  ///
  /// @throws LimitReached if a limit is met and the agent does not return partial results
  /// @throws dev.superstep.model.ModelException if the model fails, or answers nothing twice
  /// @throws InterruptedException if the calling thread is interrupted
  public AgentResult run(List<? extends Message> conversation, AgentListener listener)
      throws InterruptedException {
    return new AgentRun(this, conversation, listener, null).run();
  }

  /// Continues a conversation inside a node. Each reply of the model and each answer of a tool is
  /// kept with the thread as soon as it is there: when the node runs again, after a question, a
  /// failure or a crash, the agent goes on with what is missing. A [dev.superstep.graph.Replay]
  /// asks no model and runs no tool. An agent that works several times in one node needs a
  /// [NodeContext#step] of its own around each.
  ///
  /// @param context what the node was given; the node's thread runs this
  /// @throws LimitReached if a limit is met and the agent does not return partial results
  /// @throws dev.superstep.model.ModelException if the model fails, or answers nothing twice
  /// @throws InterruptedException if the node is cancelled
  public AgentResult run(List<? extends Message> conversation, NodeContext context)
      throws InterruptedException {
    var model = modelCall.model();
    AgentListener listener = event -> tell(context, model, event);
    return new AgentRun(this, conversation, AgentListener.withText(listener), context).run();
  }

  /// A graph node that continues a conversation and adds what came of it. While it is at work, it
  /// tells what the model says, as [dev.superstep.event.Event.TextArrived], and emits what the
  /// tools do, as [ToolProgress]. What finished is kept: [#run(List, NodeContext)].
  ///
  /// Put [#modelCall] and [#toolBatch] on the graph as two nodes, with a route that asks
  /// [dev.superstep.message.Messages#openCalls], where each turn is to be a superstep.
  public Node on(Channel<List<Message>, Message> conversation) {
    return (state, context) ->
        Update.all(conversation, run(state.get(conversation), context).messages());
  }

  private static void tell(NodeContext context, ModelRef model, AgentEvent event) {
    context.heartbeat();
    if (!context.isHeard()) return;
    switch (event) {
      case AgentEvent.TextArrived(var agent, var call, var text) ->
          context.tell(new TextPiece(agent, model.toString(), call, text));
      case AgentEvent.ToolStarted(var agent, var call) ->
          context.emit(
              ToolProgress.STARTED, new ToolProgress(agent, call.id(), call.tool(), false));
      case AgentEvent.ToolFinished(var agent, var call, var answer, _) ->
          context.emit(
              ToolProgress.FINISHED,
              new ToolProgress(agent, call.id(), call.tool(), answer.error()));
      case AgentEvent.ModelCallStarted _,
          AgentEvent.ModelCalled _,
          AgentEvent.AgentFinished _,
          AgentEvent.LimitMet _ -> {}
    }
  }

  /// The name, for events and errors.
  public String name() {
    return name;
  }

  /// One call of the model, as this agent makes it.
  public ModelCall modelCall() {
    return modelCall;
  }

  /// One batch of tool calls, as this agent runs it.
  public ToolBatch toolBatch() {
    return toolBatch;
  }

  Limits limits() {
    return limits;
  }

  /// Settings of an agent. One thread at a time.
  public static final class Builder {
    private static final int MODEL_CALLS = 25;
    private static final int TOOL_CALLS = 50;
    private static final int CONCURRENCY = 8;

    private final String name;
    private @Nullable ChatModel model;
    private String instructions = "";
    private Tools tools = Tools.none();
    private Injected injected = Injected.none();
    private UnaryOperator<ChatRequest> request = UnaryOperator.identity();
    private OnBadCall onBadCall = OnBadCall.RETURN_TO_MODEL;
    private OnLimit onLimit = OnLimit.FAIL;
    private int modelCalls = MODEL_CALLS;
    private int toolCalls = TOOL_CALLS;
    private int concurrency = CONCURRENCY;
    private @Nullable Duration timeout;

    private Builder(String name) {
      if (name.isBlank()) throw new IllegalArgumentException("name must not be blank");
      this.name = name;
    }

    /// The model that is asked.
    public Builder model(ChatModel chatModel) {
      model = chatModel;
      return this;
    }

    /// What the model is told before every conversation.
    public Builder instructions(String text) {
      instructions = text;
      return this;
    }

    /// What the model may ask for.
    public Builder tools(Tools offered) {
      tools = offered;
      return this;
    }

    /// What tools find in their context.
    public Builder injected(Injected values) {
      injected = values;
      return this;
    }

    /// Changes each request before it is sent, such as `r -> r.withTemperature(0)`.
    public Builder request(UnaryOperator<ChatRequest> change) {
      request = change;
      return this;
    }

    /// The most model calls in a run; 25 unless set.
    public Builder modelCalls(int most) {
      modelCalls = atLeast(1, "modelCalls", most);
      return this;
    }

    /// The most tool calls in a run; 50 unless set.
    public Builder toolCalls(int most) {
      toolCalls = atLeast(0, "toolCalls", most);
      return this;
    }

    /// The most tool calls at once; 8 unless set.
    public Builder concurrency(int most) {
      concurrency = atLeast(1, "concurrency", most);
      return this;
    }

    /// The most time for a run; only the limits on calls bound it unless set.
    public Builder timeout(Duration most) {
      if (most.isNegative() || most.isZero()) {
        throw new IllegalArgumentException("timeout must be positive, was " + most);
      }
      timeout = most;
      return this;
    }

    /// What happens at a limit; the run fails unless set.
    public Builder onLimit(OnLimit policy) {
      onLimit = policy;
      return this;
    }

    /// What happens when the model calls a tool wrongly; it is told unless set.
    public Builder onBadCall(OnBadCall policy) {
      onBadCall = policy;
      return this;
    }

    /// The agent.
    ///
    /// @throws IllegalStateException if no model was set
    public Agent build() {
      if (model == null) {
        throw new IllegalStateException("Agent `" + name + "` has no model. Call model(...).");
      }
      var call =
          ModelCall.of(Objects.requireNonNull(model))
              .withInstructions(instructions)
              .withTools(tools)
              .withRequest(request);
      var batch =
          ToolBatch.of(tools)
              .withInjected(injected)
              .withConcurrency(concurrency)
              .withOnBadCall(onBadCall);
      return new Agent(name, call, batch, new Limits(modelCalls, toolCalls, timeout, onLimit));
    }

    private static int atLeast(int least, String setting, int value) {
      if (value >= least) return value;
      throw new IllegalArgumentException(setting + " must be at least " + least + ", was " + value);
    }
  }
}
