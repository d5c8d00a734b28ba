package dev.superstep.agent.internal.loop;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;

import dev.superstep.agent.internal.state.AgentChannels;
import dev.superstep.agent.internal.state.AgentNodes;
import dev.superstep.agent.internal.state.AgentRunState;
import dev.superstep.agent.internal.state.AgentSpec;
import dev.superstep.agent.internal.state.Delegation;
import dev.superstep.agent.internal.state.SteeringState;
import dev.superstep.agent.internal.state.ToolTask;
import dev.superstep.agent.run.Review;
import dev.superstep.agent.steering.Steering;
import dev.superstep.budget.Spend;
import dev.superstep.graph.Graph;
import dev.superstep.graph.GraphBuilder;
import dev.superstep.graph.NodePolicy;
import dev.superstep.graph.Subgraph;
import dev.superstep.json.Json;
import dev.superstep.message.Message;
import dev.superstep.message.ToolMessage;
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

/// Makes the graph of an agent:
///
/// ```text
/// START -> begin -> model -> tools, agents -> model ... -> finish -> END
///                    \-> review (a person approves) -> tools
/// ```
///
/// Each turn of the model is a superstep, and so is each batch of tool calls, with a task for each
/// call. So the engine saves finished work, as in any graph.
public final class AgentGraph {
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

  public static Graph of(AgentSpec spec) {
    return new AgentGraph(spec).make();
  }

  private Graph make() {
    var policy = new ToolCallPolicy(spec, helpers, graphs);
    var tools = new ToolNode(spec);
    var graph = Graph.named(spec.name()).channels(channels()).questions(questions());
    graph
        .node(AgentNodes.BEGIN, new BeginNode(spec, policy))
        .node(AgentNodes.MODEL, new ModelNode(spec, policy))
        .node(AgentNodes.TOOLS, tools, concurrencyPolicy())
        .node(AgentNodes.REVIEW, new ReviewNode(spec, policy))
        .node(AgentNodes.STEER, new SteerNode(spec))
        .node(AgentNodes.FINISH, new FinishNode(spec))
        .edge(START, AgentNodes.BEGIN)
        .edge(AgentNodes.TOOLS.name(), AgentNodes.MODEL)
        .edge(AgentNodes.FINISH, END);
    helpers.forEach((name, target) -> {
      var helper = Objects.requireNonNull(spec.helpers().get(name));
      var called = delegated(name, helper).interceptor(new SubAgentCaller(spec, tools));
      graph.node(target, called).edge(target.name(), AgentNodes.MODEL);
    });
    for (var tool : spec.tools()) {
      var target = graphs.get(tool.name());
      if (target == null) continue;
      var node = GraphToolCaller.node(tool.name(), tool.graph().orElseThrow(), spec, tools);
      graph.node(target, node, concurrencyPolicy()).edge(target.name(), AgentNodes.MODEL);
    }
    var called = new ArrayList<String>();
    called.add(AgentNodes.TOOLS.name());
    graphs.values().forEach(target -> called.add(target.name()));
    helpers.values().forEach(target -> called.add(target.name()));
    destinations(graph, AgentNodes.BEGIN, called, AgentNodes.MODEL, AgentNodes.REVIEW);
    destinations(
        graph,
        AgentNodes.MODEL,
        called,
        AgentNodes.MODEL,
        AgentNodes.REVIEW,
        AgentNodes.STEER,
        AgentNodes.FINISH);
    destinations(graph, AgentNodes.STEER, List.of(), AgentNodes.MODEL, AgentNodes.FINISH);
    destinations(graph, AgentNodes.REVIEW, called, AgentNodes.MODEL);
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

  private NodePolicy concurrencyPolicy() {
    return NodePolicy.defaults().concurrency(spec.calling().concurrency());
  }

  private Channel<?, ?>[] channels() {
    var all = new ArrayList<Channel<?, ?>>();
    all.add(spec.messages());
    all.addAll(
        List.of(
            AgentRunState.CHANNEL,
            AgentChannels.SPEND,
            AgentChannels.FINAL,
            AgentChannels.CALLED,
            AgentChannels.APPROVED,
            AgentChannels.ANSWER,
            SteeringState.CHANNEL));
    if (spec.remembers()) all.add(AgentChannels.SESSIONS);
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
    var called = helper.agent().calledBy(spec);
    var messages = called.messages();
    return Subgraph.of(
        of(called),
        given -> Input.all(messages, given.conversation()).and(AgentChannels.CALLED, given.alone()),
        end -> helper.remembers() ? remembered(tool, end, messages) : result(tool, end));
  }

  private Update remembered(String tool, State end, Channel<List<Message>, Message> messages) {
    return result(tool, end)
        .and(AgentChannels.SESSIONS, new AgentChannels.Session(tool, end.get(messages), true));
  }

  /// The result for the calling agent: a message, and the spending.
  private Update result(String tool, State end) {
    var call = end.get(AgentChannels.CALLED).call();
    var runState = end.get(AgentRunState.CHANNEL);
    var ending = runState.ending().orElseThrow();
    var failed = ending.reason().isLimit();
    var answer = runState.answer().map(Json::text).orElse(ending.text());
    var message = new ToolMessage("", call.id(), tool, answer, failed);
    var spent = end.find(AgentChannels.SPEND).orElse(Spend.NONE);
    return Update.of(spec.messages(), (Message) message).and(AgentChannels.SPEND, spent);
  }
}
