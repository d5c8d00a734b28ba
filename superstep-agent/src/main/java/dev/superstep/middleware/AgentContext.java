package dev.superstep.middleware;

import dev.superstep.agent.run.AgentEvent;
import dev.superstep.budget.Budget;
import dev.superstep.budget.Ledger;
import dev.superstep.budget.Spend;
import dev.superstep.graph.InsideRun;
import dev.superstep.message.Message;
import dev.superstep.message.ToolCall;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ModelProfile;
import dev.superstep.model.ModelResolver;
import dev.superstep.model.TokenCounter;
import dev.superstep.model.Usage;
import dev.superstep.node.NodeContext;
import dev.superstep.node.Update;
import dev.superstep.state.Channel;
import dev.superstep.state.State;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolGate;
import dev.superstep.tool.ToolResult;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The agent that a middleware is part of, as a hook sees and changes it. Made by the agent for one
/// node while that runs, and used on the thread of the hook. Not to be implemented elsewhere: more
/// methods may be added.
public interface AgentContext {
  /// The name of the agent.
  String agent();

  /// The id of this run of the agent: the same until it has its answer, also after a crash.
  String run();

  /// The id of the agent that called it, if one did.
  Optional<String> parent();

  /// The id of the outermost agent.
  String root();

  /// The labels of the agent, inherited and local.
  Map<String, String> labels();

  /// The node of the agent's graph: for steps that must happen once, questions, the store, the
  /// clock, random numbers.
  NodeContext node();

  /// The state of the agent's graph, as of the start of the superstep.
  State state();

  /// The value of a channel that a middleware brought.
  <V> Optional<V> find(Channel<V, ?> channel);

  /// Writes to a channel that a middleware brought, when the superstep is over.
  <W> void write(Channel<?, W> channel, W value);

  /// Writes to channels that middleware brought, when the superstep is over.
  void update(Update update);

  /// The conversation, with what was changed by [#rewrite] in this hook or before.
  List<Message> conversation();

  /// Replaces the conversation for good: what is left out is gone from the thread's newest state.
  /// To leave something out of one prompt only, change the request.
  ///
  /// @param messages each with an id
  void rewrite(List<Message> messages);

  /// The number of turns of the agent's model.
  int modelCalls();

  /// The number of tool calls that the model has made.
  int toolCalls();

  /// The tokens used so far, with the agents that it called.
  Usage usage();

  /// The spending so far, with the agents that it called: tokens, money, and the number of calls.
  Spend spent();

  /// Requests how the agent continues after this hook.
  ///
  /// @param by names who asks for it
  void control(Control control, String by);

  /// Which model this turn is to ask. Only in [Middleware#beforeModel].
  void wish(ModelResolver.Wish other);

  /// The model that this turn asks. Only in [Middleware#aroundModel].
  ChatModel model();

  /// Has this turn ask another model: [Middleware.ModelNext] does so from now on, through all
  /// middleware further inside, within the budget, with events. Only in [Middleware#aroundModel].
  void model(ChatModel other);

  /// Streams a reply that no model makes now, such as one from a cache, to the listeners of the
  /// model. Only in [Middleware#aroundModel].
  void publishReply(ChatReply reply);

  /// A tool of the agent, if it has it.
  Optional<Tool> tool(String name);

  /// Publishes an event to the listeners of the run.
  void emit(AgentEvent event);

  /// A model whose replies are saved like those of the agent's own, and counted in its budget.
  ///
  /// @param name tells its calls from those of others in this node
  ChatModel durable(ChatModel model, String name);

  /// This context for an item of a [dev.superstep.graph.Parallel] in [#node]: what it asks is saved
  /// with the item, and counted for this node; so is what an earlier attempt of the node asked.
  ///
  /// @param fork that of the item, or [#node] itself
  AgentContext in(NodeContext fork);

  /// Runs a call of one of the agent's tools inside of a hook, as if its model had made it: past
  /// the gate, after an approval where one is needed, through all middleware, with events.
  ///
  /// @throws Exception what a hook throws; an error of the tool is its result
  ToolResult run(ToolCall call) throws Exception;

  /// Runs a graph inside of a hook, as that of a tool is run: it goes on after a crash, asks by
  /// this run, and spends from [#ledger]. Of one that was not whole, what it spent counts, too.
  /// Other agents are run by `agent.inside(context, ...)`.
  ///
  /// @param name of the graph, for errors
  /// @param most what it may spend
  /// @throws dev.superstep.error.NodeFailed if one of its nodes fails
  /// @throws InterruptedException if the run is cancelled
  InsideRun.End run(InsideRun inside, String name, Budget most) throws InterruptedException;

  /// Counts tokens as the agent does.
  TokenCounter counter();

  /// The profile of the model that this turn would ask, as things stand.
  ModelProfile profile();

  /// The ledger of the agent's budget, within those of its callers.
  Ledger ledger();

  /// The time that the agent may still work, if that is limited; never negative.
  Optional<Duration> timeLeft();

  /// The gate before the tools of the agent. `other.within(context.gate())` is an agent that may do
  /// no more than this one, for a run of its own.
  ToolGate gate();

  /// A value that the program injected for tools.
  ///
  /// @throws dev.superstep.tool.ToolError.Missing if it injected none of this type
  <T> T injected(Class<T> type);
}
