package dev.superstep.agent;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;

import dev.superstep.budget.Spend;
import dev.superstep.graph.Graph;
import dev.superstep.graph.GraphBuilder;
import dev.superstep.graph.NodePolicy;
import dev.superstep.graph.Subgraph;
import dev.superstep.json.Json;
import dev.superstep.message.Message;
import dev.superstep.message.ToolCall;
import dev.superstep.message.ToolMessage;
import dev.superstep.message.UserMessage;
import dev.superstep.node.Question;
import dev.superstep.node.Target;
import dev.superstep.node.Update;
import dev.superstep.run.Input;
import dev.superstep.state.Channel;
import dev.superstep.state.State;
import dev.superstep.tool.ToolContext;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/// Makes the graph of an agent:
///
/// ```text
/// START -> begin -> model -> tools, agents -> model ... -> finish -> END
///                    \-> review (a person approves) -> tools
/// ```
///
/// Each turn of the model is a superstep, and so is each batch of tool calls, with a task for each
/// call. So what finished is kept by the engine, as in any graph.
final class AgentGraph {
  static final String BEGIN = "begin";
  static final String MODEL = "model";
  static final String REVIEW = "review";
  static final String FINISH = "finish";
  static final String STEER = "steer";

  /// What the agent has spent, with those that it called.
  static final Channel<Spend, Spend> SPEND =
      Channel.reduce("agent-spend", Spend.class, Spend.NONE, Spend::plus);

  /// The results of tools that are the answer of the agent.
  static final Channel<List<ToolMessage>, ToolMessage> FINAL =
      Channel.append("agent-final", ToolMessage.class);

  /// Who called the agent, if an agent did.
  static final Channel<Delegation, Delegation> CALLED =
      Channel.latest("agent-called", Delegation.class);

  /// What agents that remember have said in this run. Only there if one does.
  static final Channel<List<Session>, Session> SESSIONS =
      Channel.append("agent-sessions", Session.class);

  /// The answer, as JSON.
  static final Channel<Json, Json> ANSWER = Channel.latest("agent-answer", Json.class);

  static final Target<ToolTask> TOOLS = Target.of("tools", ToolTask.class);

  /// A call that a tool node answers.
  ///
  /// @param refused why it is not run, for the model, if it is not
  record ToolTask(ToolCall call, Optional<String> refused) {}

  /// A task that another agent is given.
  ///
  /// @param around the agents around that one, the outermost first
  /// @param before what was said when it was called before, if it remembers
  record Delegation(
      ToolCall call, String task, List<AgentRunState.Around> around, List<Message> before) {
    Delegation(ToolCall call, String task, List<AgentRunState.Around> around) {
      this(call, task, around, List.of());
    }

    /// The conversation that the agent begins with.
    List<Message> conversation() {
      var all = new ArrayList<>(before);
      all.add(new UserMessage("", task));
      return all;
    }

    /// What the agent itself has to know.
    Delegation alone() {
      return new Delegation(call, task, around);
    }
  }

  /// A piece of the conversation of an agent that remembers.
  ///
  /// @param isWhole whether it takes the place of all pieces before
  record Session(String tool, List<Message> messages, boolean isWhole) {}

  private final AgentSpec spec;
  private final Map<String, Target<Delegation>> helpers = new LinkedHashMap<>();
  private final Map<String, Target<ToolTask>> graphs = new LinkedHashMap<>();

  private AgentGraph(AgentSpec spec) {
    this.spec = spec;
    for (var name : spec.helpers().keySet()) {
      helpers.put(name, Target.of("agent-" + name.replace('_', '-'), Delegation.class));
    }
    for (var tool : spec.tools()) {
      var name = tool.name();
      if (tool.graph().isEmpty() || helpers.containsKey(name)) continue;
      graphs.put(name, Target.of("tool-" + name.replace('_', '-'), ToolTask.class));
    }
  }

  static Graph of(AgentSpec spec) {
    return new AgentGraph(spec).make();
  }

  private Graph make() {
    var desk = new ToolCallPolicy(spec, helpers, graphs);
    var tools = new ToolNode(spec);
    var graph = Graph.named(spec.name()).channels(channels()).questions(questions());
    graph
        .node(BEGIN, new BeginNode(spec, desk))
        .node(MODEL, new ModelNode(spec, desk))
        .node(TOOLS, tools, atOnce())
        .node(REVIEW, new ReviewNode(spec, desk))
        .node(STEER, new SteerNode(spec))
        .node(FINISH, new FinishNode(spec))
        .edge(START, BEGIN)
        .edge(TOOLS.name(), MODEL)
        .edge(FINISH, END);
    helpers.forEach((name, target) -> {
      var helper = Objects.requireNonNull(spec.helpers().get(name));
      var called = delegated(name, helper).interceptor(new SubAgentCaller(spec, tools));
      graph.node(target, called).edge(target.name(), MODEL);
    });
    for (var tool : spec.tools()) {
      var target = graphs.get(tool.name());
      if (target == null) continue;
      var node = GraphToolCaller.node(tool.name(), tool.graph().orElseThrow(), spec, tools);
      graph.node(target, node, atOnce()).edge(target.name(), MODEL);
    }
    var called = new ArrayList<String>();
    called.add(TOOLS.name());
    graphs.values().forEach(target -> called.add(target.name()));
    helpers.values().forEach(target -> called.add(target.name()));
    destinations(graph, BEGIN, called, MODEL, REVIEW);
    destinations(graph, MODEL, called, MODEL, REVIEW, STEER, FINISH);
    destinations(graph, STEER, List.of(), MODEL, FINISH);
    destinations(graph, REVIEW, called, MODEL);
    return graph.stepLimit(steps()).compile();
  }

  private static void destinations(
      GraphBuilder graph, String from, List<String> called, String... more) {
    var all = new ArrayList<>(called);
    all.addAll(List.of(more));
    graph.destinations(from, all.toArray(String[]::new));
  }

  /// Each turn may take a review and a batch of tools; the agent's own limits are the ones that
  /// count.
  private int steps() {
    long turns = 3L * spec.limits().modelCalls() + 8;
    return (int) Math.min(Integer.MAX_VALUE / 4, turns);
  }

  private NodePolicy atOnce() {
    return NodePolicy.defaults().concurrency(spec.calling().concurrency());
  }

  private Channel<?, ?>[] channels() {
    var all = new ArrayList<Channel<?, ?>>();
    all.add(spec.messages());
    all.addAll(List.of(AgentRunState.CHANNEL, SPEND, FINAL, CALLED, ANSWER, SteeringState.CHANNEL));
    if (spec.remembers()) all.add(SESSIONS);
    for (var one : spec.middleware()) {
      for (var channel : one.channels()) if (!all.contains(channel)) all.add(channel);
    }
    return all.toArray(Channel[]::new);
  }

  private Question<?, ?>[] questions() {
    var all = new LinkedHashSet<Question<?, ?>>();
    all.add(Review.QUESTION);
    all.add(Steering.PAUSED);
    all.add(Steering.CLARIFY);
    all.add(ToolContext.SUSPENDED);
    for (var tool : spec.tools()) all.addAll(tool.questions());
    for (var one : spec.middleware()) all.addAll(one.questions());
    return all.toArray(Question[]::new);
  }

  /// Another agent as a node: a run of its own, with a conversation of its own.
  private Subgraph<Delegation> delegated(String tool, AgentSpec.Callee helper) {
    var called = helper.agent().spec().calledBy(spec);
    var messages = called.messages();
    return Subgraph.of(
        of(called),
        given -> Input.all(messages, given.conversation()).and(CALLED, given.alone()),
        end -> helper.remembers() ? remembered(tool, end, messages) : result(tool, end));
  }

  private Update remembered(String tool, State end, Channel<List<Message>, Message> messages) {
    return result(tool, end).and(SESSIONS, new Session(tool, end.get(messages), true));
  }

  /// What the calling agent learns: one message, and what was spent.
  private Update result(String tool, State end) {
    var call = end.get(CALLED).call();
    var progress = end.get(AgentRunState.CHANNEL);
    var ending = progress.ending().orElseThrow();
    var failed = ending.reason().isLimit();
    var answer = progress.answer().map(Json::text).orElse(ending.text());
    var message = new ToolMessage("", call.id(), tool, answer, failed);
    var spent = end.find(SPEND).orElse(Spend.NONE);
    return Update.of(spec.messages(), (Message) message).and(SPEND, spent);
  }
}
