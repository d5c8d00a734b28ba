package dev.superstep.agent;

import dev.superstep.agent.internal.loop.AgentGraph;
import dev.superstep.agent.internal.loop.InsideAgents;
import dev.superstep.agent.internal.loop.LedgerRegistry;
import dev.superstep.agent.internal.state.AgentChannels;
import dev.superstep.agent.internal.state.AgentRunState;
import dev.superstep.agent.internal.state.AgentSpec;
import dev.superstep.agent.internal.state.AgentTask;
import dev.superstep.agent.internal.state.AnswerFormat;
import dev.superstep.agent.internal.state.ToolTask;
import dev.superstep.agent.steering.Steer;
import dev.superstep.agent.steering.Steering;
import dev.superstep.budget.Budget;
import dev.superstep.budget.Ledger;
import dev.superstep.budget.Spend;
import dev.superstep.error.NodeFailed;
import dev.superstep.graph.Graph;
import dev.superstep.graph.InsideRun;
import dev.superstep.graph.RunOptions;
import dev.superstep.graph.Subgraph;
import dev.superstep.json.Json;
import dev.superstep.json.MalformedJson;
import dev.superstep.message.Message;
import dev.superstep.message.ToolCall;
import dev.superstep.middleware.AgentContext;
import dev.superstep.middleware.Retrying;
import dev.superstep.model.ModelResolver;
import dev.superstep.node.ContextKey;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome;
import dev.superstep.state.Channel;
import dev.superstep.state.State;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolDependencies;
import dev.superstep.tool.ToolGate;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/// A model with tools and limits. It asks the model, runs the tools that the model calls for, shows
/// it the results, and so on until the model answers or a limit is met.
///
/// ```java
/// var agent = Agent.named("support").model(model).instructions("Be kind.").tools(SEARCH).build();
/// String answer = agent.run("Where is my parcel?").answer();
/// ```
///
/// An agent is a graph: [#graph]. Each turn of its model is a superstep, each tool call a task. So
/// on a stored thread, finished work is never done again; the conversation of a thread is the
/// agent's memory; and runs are streamed, watched, forked and resumed like those of any graph. It
/// is a node of other graphs by [#on], and a tool of other agents by [AgentBuilder#agent].
///
/// Immutable, safe for many threads. Interrupting the thread of a run stops it and all its tools.
///
/// @param <A> the form of its answer
public final class Agent<A> {
  /// A ledger that all agents of a run spend from, beside their own budgets: for a run of a graph
  /// with agents in it, or several runs that share one budget.
  public static final ContextKey<Ledger> LEDGER = LedgerRegistry.SHARED;

  private final AgentSpec spec;
  private final AnswerFormat<A> form;
  private final Graph graph;

  Agent(AgentSpec spec, AnswerFormat<A> form) {
    this.spec = spec;
    this.form = form;
    this.graph = AgentGraph.of(spec);
  }

  /// Begins an agent; a model is required, all else has defaults.
  public static AgentBuilder named(String name) {
    return new AgentBuilder(name);
  }

  /// The name, for events and errors.
  public String name() {
    return spec.name();
  }

  /// The graph that it is.
  public Graph graph() {
    return graph;
  }

  /// The conversation in the state of [#graph].
  public Channel<List<Message>, Message> messages() {
    return spec.messages();
  }

  /// Answers a question. Nothing is saved.
  ///
  /// @throws dev.superstep.agent.run.LimitReached if a limit is met and the agent does not return
  ///   partial results
  /// @throws dev.superstep.model.ModelException if the model fails, or answers nothing twice
  /// @throws InterruptedException if the calling thread is interrupted
  public AgentResult<A> run(String question) throws InterruptedException {
    return run(question, RunOptions.defaults());
  }

  /// Continues a conversation: that of the thread, if the options name one.
  ///
  /// @throws dev.superstep.agent.run.LimitReached if a limit is met and the agent does not return
  ///   partial results
  /// @throws dev.superstep.budget.BudgetExceeded if the next call might go over the budget
  /// @throws dev.superstep.model.ModelException if the model fails, or answers nothing twice
  /// @throws NodeFailed if something else fails. In any case, a stored thread can be resumed
  /// @throws InterruptedException if the calling thread is interrupted
  public AgentResult<A> run(String question, RunOptions options) throws InterruptedException {
    return run(List.of(user(question)), options);
  }

  /// Continues a conversation: that of the thread, if the options name one. If it ends in tool
  /// calls without answers, those are run first.
  ///
  /// @param more what is added to the conversation
  /// @throws dev.superstep.agent.run.LimitReached if a limit is met and the agent does not return
  ///   partial results
  /// @throws dev.superstep.budget.BudgetExceeded if the next call might go over the budget
  /// @throws dev.superstep.model.ModelException if the model fails, or answers nothing twice
  /// @throws NodeFailed if something else fails. In any case, a stored thread can be resumed
  /// @throws InterruptedException if the calling thread is interrupted
  public AgentResult<A> run(List<? extends Message> more, RunOptions options)
      throws InterruptedException {
    try {
      return result(graph.invoke(input(more), options));
    } catch (NodeFailed e) {
      throw AgentStream.unwrapped(e);
    }
  }

  /// Resumes a thread: after a failure or a crash without answers, after questions with them. A
  /// [Steering] in the options whose commands let it go on or cancel it is obeyed also where it
  /// waits for answers.
  ///
  /// @throws InterruptedException if the calling thread is interrupted
  public AgentResult<A> resume(Answers answers, RunOptions options) throws InterruptedException {
    try {
      return result(graph.resume(answers, steered(options)));
    } catch (NodeFailed e) {
      throw AgentStream.unwrapped(e);
    }
  }

  /// Returns whether an earlier question on the thread has work left, because its process ended, it
  /// failed, or it waits for people. Such a thread takes no new question before [#resume] or
  /// [#giveUp].
  public boolean hasUnfinishedWork(RunOptions options) {
    return graph.state(options).map(state -> !state.next().isEmpty()).orElse(false);
  }

  /// Ends the unfinished run of a thread, without asking the model again, so that it takes a new
  /// question. The conversation stays as it is. Tools and agents that were not finished are not run
  /// again, and questions to people that were open are not answered any more; the conversation says
  /// so.
  ///
  /// @return [AgentResult.Partial] with [dev.superstep.agent.run.StopReason#CANCELLED] if there was
  ///   something to give up, else the result that the thread had
  /// @throws InterruptedException if the calling thread is interrupted
  public AgentResult<A> giveUp(RunOptions options) throws InterruptedException {
    var steering = Steering.standard();
    steering.human("", new Steer.Cancel("given up"));
    return resume(Answers.none(), options.with(Steering.KEY, steering));
  }

  /// Runs as [#run(String, RunOptions)] does, and streams the events.
  public AgentStream<A> stream(String question, RunOptions options) {
    return stream(List.of(user(question)), options);
  }

  private static Message user(String question) {
    return Message.user(Objects.requireNonNull(question, "the question must not be null"));
  }

  /// Runs as [#run(List, RunOptions)] does, and streams the events.
  ///
  /// @param more what is added to the conversation
  public AgentStream<A> stream(List<? extends Message> more, RunOptions options) {
    return new AgentStream<>(graph.stream(input(more), options), this::result);
  }

  /// Resumes as [#resume] does, and streams the events.
  public AgentStream<A> streamResume(Answers answers, RunOptions options) {
    return new AgentStream<>(graph.streamResume(answers, steered(options)), this::result);
  }

  /// Where commands wait that end a wait, what waits runs again to see them.
  private static RunOptions steered(RunOptions options) {
    var steering = options.find(Steering.KEY);
    return steering.isPresent() && steering.get().endsWaits() ? options.rerunWaiting() : options;
  }

  /// Returns a copy that asks other models. So do the agents that it calls.
  public Agent<A> withModels(ModelResolver models) {
    return new Agent<>(spec.withModels(models), form);
  }

  /// Returns a copy with more values that its tools find by their type.
  public Agent<A> withInjected(ToolDependencies values) {
    return new Agent<>(spec.withInjected(values), form);
  }

  /// The names of its tools, for people.
  public List<String> tools() {
    return spec.calling().caller().tools().names();
  }

  /// The tool call in the argument of a task of an agent's graph, if it has one.
  /// [dev.superstep.run.ThreadState#sent] has the arguments.
  public static Optional<ToolCall> sentCall(Json sent) {
    try {
      return Optional.of(sent.as(ToolTask.class).call());
    } catch (MalformedJson e) {
      return Optional.empty();
    }
  }

  /// The input of [#graph] that adds messages to a conversation.
  public Input input(List<? extends Message> more) {
    return Input.all(spec.messages(), more);
  }

  /// The result of a run of [#graph].
  public AgentResult<A> result(Outcome outcome) {
    return switch (outcome) {
      case Outcome.Completed(var state) -> result(state);
      case Outcome.Interrupted(var questions) -> new AgentResult.Waiting<>(questions);
      case Outcome.Stopped(var reason, _) -> new AgentResult.Stopped<>(reason);
    };
  }

  /// The answer in the final state of [#graph].
  ///
  /// @throws NotAnswered if it has none
  public A answer(State end) {
    return result(end).answer();
  }

  private AgentResult<A> result(State state) {
    var runState = state.get(AgentRunState.CHANNEL);
    var ending = runState.ending().orElseThrow();
    var report =
        new AgentReport(
            state.get(spec.messages()),
            ending.reason(),
            ending.text(),
            state.find(AgentChannels.SPEND).orElse(Spend.NONE),
            runState.modelCalls(),
            runState.toolCalls(),
            runState.model(),
            form.isText() ? Optional.empty() : Optional.of(form.carrier()));
    var answer = runState.answer().orElseGet(() -> Json.string(ending.text()));
    boolean isWhole = runState.answer().isPresent() || form.isText();
    return isWhole && !ending.reason().isLimit()
        ? new AgentResult.Answered<>(form.read(answer), report)
        : new AgentResult.Partial<>(ending.text(), report);
  }

  /// A node that continues a conversation of the outer graph, and adds its messages to it.
  public Subgraph<State> on(Channel<List<Message>, Message> conversation) {
    return Subgraph.shared(AgentGraph.of(spec.on(conversation)));
  }

  /// A node that gives the agent a task made from the outer state, and makes writes of its answer.
  /// It has a conversation of its own, which begins with the task.
  ///
  /// ```java
  /// .node("judge", judge.asking(s -> s.get(DRAFT), verdict -> Update.of(VERDICT, verdict)))
  /// ```
  ///
  /// If the agent ends without an answer, the node fails.
  public Subgraph<State> asking(Function<State, String> task, Function<A, Update> result) {
    return sent(task, result);
  }

  /// A node with a [dev.superstep.node.Target] that gives the agent a task for each argument sent
  /// to it, as [#asking] does for the state.
  ///
  /// @param task made from what was sent
  public <T> Subgraph<T> sent(Function<T, String> task, Function<A, Update> result) {
    return Subgraph.of(
        graph,
        given -> input(List.of(Message.user(task.apply(given)))),
        end -> result.apply(result(end).answer()));
  }

  /// A tool by which a model runs it. To an agent that has it among its tools it is an agent that
  /// it calls, as by [AgentBuilder#agent]: its run is part of that agent's. Elsewhere it runs by
  /// itself, and nothing of it is saved.
  ///
  /// @param description tells a model when to use it
  public Tool asTool(String description) {
    var tool = AgentSpec.toolName(name());
    return Tool.of(tool, description, AgentTask.class, new AgentTool<>(this));
  }

  /// Returns a copy that obeys this gate in addition to its own.
  public Agent<A> within(ToolGate outer) {
    return new Agent<>(spec.within(outer), form);
  }

  /// Returns a copy with these limits where they are lower than its own. Agents that it calls keep
  /// theirs, and count for it as before.
  ///
  /// @param modelCalls the most turns of its model, at least 1
  /// @param depth the most agents inside each other, at least 1
  public Agent<A> atMost(int modelCalls, int toolCalls, int depth) {
    if (modelCalls < 1 || toolCalls < 0 || depth < 1) {
      throw new IllegalArgumentException(
          "limits must be at least 1, 0 and 1, were %d, %d and %d"
              .formatted(modelCalls, toolCalls, depth));
    }
    return new Agent<>(spec.with(spec.limits().lowered(modelCalls, toolCalls, depth)), form);
  }

  /// A run of it inside of a hook of another agent, which is its caller as if that one's model had
  /// called it: it may do no more than that one, its events name it as parent, and it spends from
  /// its ledger. [AgentContext#run(InsideRun, String, Budget)] runs it; [#result] reads the end.
  ///
  /// @param caller what the hook was given
  /// @param key names it among those of the node, or of the step or fork that it is in
  public InsideRun inside(AgentContext caller, String key, String task) {
    return InsideAgents.of(spec, caller, key, task);
  }

  AgentSpec spec() {
    return spec;
  }

  /// The most turns of its model in a run.
  public int modelCalls() {
    return spec.limits().modelCalls();
  }

  /// The most tool calls in a run.
  public int toolCalls() {
    return spec.limits().toolCalls();
  }

  /// The number of agents that may be nested, this one included.
  public int depth() {
    return spec.helpers().isEmpty() ? 1 : spec.limits().depth();
  }

  /// Returns whether models are called by its own turns alone: it calls no other agents, and has no
  /// middleware besides retries, which may call models as well.
  public boolean isAlone() {
    return spec.helpers().isEmpty()
        && spec.middleware().stream().allMatch(Retrying.class::isInstance);
  }

  /// The most attempts at a model in one turn, the first included, if it [#isAlone].
  public int attempts() {
    int attempts = 1;
    for (var one : spec.middleware()) {
      if (one instanceof Retrying retrying) {
        attempts = Math.multiplyExact(attempts, retrying.attempts());
      }
    }
    return attempts;
  }

  /// The budget of a run.
  public Budget budget() {
    return spec.budget();
  }

  @Override
  public String toString() {
    return "Agent[" + name() + ", models " + spec.models() + ", tools " + tools() + "]";
  }
}
