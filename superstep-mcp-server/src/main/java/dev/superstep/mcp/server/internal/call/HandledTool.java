package dev.superstep.mcp.server.internal.call;

import dev.superstep.graph.Graph;
import dev.superstep.json.Json;
import dev.superstep.message.ToolCall;
import dev.superstep.message.ToolMessage;
import dev.superstep.node.Approval;
import dev.superstep.node.NodeContext;
import dev.superstep.node.Question;
import dev.superstep.node.Update;
import dev.superstep.run.Input;
import dev.superstep.state.Channel;
import dev.superstep.state.State;
import dev.superstep.tool.GateDecision;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolCaller;
import dev.superstep.tool.ToolContext;
import dev.superstep.tool.ToolGate;
import dev.superstep.tool.ToolGraph;
import dev.superstep.tool.ToolResult;
import dev.superstep.tool.Tools;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Optional;

/// A tool with a handler as a graph of one node, so that its questions are stored. Immutable.
public final class HandledTool implements ToolGraph {
  /// Asks whether a tool may be called, where its policy or the gate wants that.
  static final Question<Approved, Approval> APPROVAL =
      Question.of("mcp_call_approval", Approved.class, Approval.class);

  private static final String NODE = "call";
  private static final String CALL = "call";

  private final Tool tool;
  private final ToolCaller caller;
  private final ToolGate gate;
  private final Duration most;
  private final Channel<Json, Json> arguments = Channel.latest("arguments", Json.class);
  private final Channel<ToolMessage, ToolMessage> result =
      Channel.latest("result", ToolMessage.class);
  private final Graph graph;

  /// A call that waits for an approval.
  record Approved(String tool, Json arguments, String why) {}

  HandledTool(Tool tool, ToolGate gate, Duration most) {
    this.tool = tool;
    this.gate = gate;
    this.most = most;
    this.caller = ToolCaller.of(Tools.of(tool)).withGate(gate).withTimeout(most);
    var questions = new ArrayList<>(tool.questions());
    questions.add(APPROVAL);
    questions.add(ToolContext.SUSPENDED);
    this.graph =
        Graph.named("mcp_" + tool.name())
            .channels(arguments, result)
            .questions(questions.toArray(Question[]::new))
            .node(NODE, this::called)
            .edge(Graph.START, NODE)
            .edge(NODE, Graph.END)
            .compile();
  }

  private Update called(State state, NodeContext node) throws InterruptedException {
    var given = state.get(arguments);
    var call = new ToolCall(CALL, tool.name(), given.text());
    var refused = refused(call, given, node);
    if (refused.isPresent()) return Update.of(result, ToolCaller.message(call, refused.get()));
    var made =
        switch (caller.check(call)) {
          case ToolCaller.Checked.Bad(_, _, var why) -> ToolResult.error(why);
          case ToolCaller.Checked.Good good ->
              caller.call(good, node, state, most, piece -> told(node, piece.text()));
        };
    return Update.of(result, ToolCaller.message(call, made));
  }

  private Optional<ToolResult> refused(ToolCall call, Json given, NodeContext node) {
    return switch (gate.judge(tool, call)) {
      case GateDecision.Allow _ -> Optional.empty();
      case GateDecision.Deny(var why) -> Optional.of(ToolResult.error("It was refused. " + why));
      case GateDecision.Confirm(var why) -> {
        var answer = node.interrupt(APPROVAL, new Approved(tool.name(), given, why));
        if (answer.approved()) yield Optional.empty();
        var note = answer.note().map(text -> " " + text).orElse("");
        yield Optional.of(ToolResult.error("A person did not approve the call." + note));
      }
    };
  }

  private static void told(NodeContext node, String text) {
    node.heartbeat();
    node.find(ClientCall.KEY).ifPresent(call -> call.progress(text));
  }

  @Override
  public ToolGraph within(ToolGate other) {
    return new HandledTool(tool, gate.and(other), most);
  }

  @Override
  public Graph graph() {
    return graph;
  }

  @Override
  public Input input(Json given) {
    return Input.of(arguments, given);
  }

  @Override
  public ToolResult result(State end) {
    var message = end.get(result);
    return new ToolResult(
        message.content(), message.error(), message.artifact(), Optional.empty(), false);
  }
}
