package dev.superstep.server.internal.wire;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;

import dev.superstep.graph.Graph;
import dev.superstep.graph.Subgraph;
import dev.superstep.message.AssistantMessage;
import dev.superstep.message.Message;
import dev.superstep.message.Messages;
import dev.superstep.message.ToolCall;
import dev.superstep.message.ToolMessage;
import dev.superstep.node.NodeContext;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Question;
import dev.superstep.node.Update;
import dev.superstep.run.Breakpoints;
import dev.superstep.state.Channel;
import dev.superstep.state.State;
import java.util.List;

/// The small graphs with which LangGraph's own clients are tested, as graphs of the engine.
final class WireGraphs {
  static final Channel<List<Message>, Message> MESSAGES = Messages.channel("messages");
  static final Channel<Boolean, Boolean> ASKS = Channel.any("interrupt", Boolean.class);
  static final Channel<String, String> CITY = Channel.latest("city", String.class);
  static final Channel<String, String> ROUTE = Channel.latest("route", String.class);
  static final Question<String, String> CONFIRM =
      Question.of("confirm", String.class, String.class);

  private WireGraphs() {}

  /// A model, a tool and the model again.
  static Graph agent() {
    return Graph.named("agent")
        .channels(MESSAGES, ASKS)
        .questions(CONFIRM)
        .node("agent", WireGraphs::model)
        .node("tool", WireGraphs::tool)
        .edge(START, "agent")
        .route("agent", state -> isDone(state) ? END : "tool", "tool", END)
        .edge("tool", "agent")
        .compile();
  }

  private static boolean isDone(State state) {
    return Messages.openCalls(state.get(MESSAGES)).isEmpty();
  }

  private static NodeResult model(State state, NodeContext node) {
    boolean isAnswered = state.get(MESSAGES).getLast() instanceof ToolMessage;
    if (!isAnswered && state.find(ASKS).orElse(false)) {
      node.interrupt(CONFIRM, "i want to interrupt");
    }
    if (isAnswered) return Update.of(MESSAGES, Message.assistant("end"));
    var call = new ToolCall("tool_call_id", "tool", "{\"input\":\"begin\"}");
    return Update.of(MESSAGES, new AssistantMessage("", "begin", List.of(call)));
  }

  private static NodeResult tool(State state, NodeContext node) {
    var call = Messages.openCalls(state.get(MESSAGES)).getFirst();
    return Update.of(MESSAGES, new ToolMessage("", call.id(), call.tool(), "tool_result", false));
  }

  /// A graph with a graph inside, which stops before its last node.
  static Graph weather() {
    var inside =
        Graph.named("weather_graph")
            .channels(CITY)
            .node("model_node", (s, _) -> Update.of(CITY, s.get(CITY)))
            .node("weather_node", (s, _) -> Update.of(CITY, "sunny " + s.get(CITY)))
            .sequence(START, "model_node", "weather_node", END)
            .breakpoints(Breakpoints.none().before("weather_node"))
            .compile();
    return Graph.named("weather")
        .channels(CITY, ROUTE)
        .node("router_node", (_, _) -> Update.of(ROUTE, "weather"))
        .node("weather_graph", Subgraph.shared(inside))
        .sequence(START, "router_node", "weather_graph", END)
        .compile();
  }

  /// A failure under a name of its own.
  static final class CustomError extends RuntimeException {
    private static final long serialVersionUID = 1;

    CustomError(String message) {
      super(message);
    }
  }

  static Graph failing() {
    return Graph.named("failing")
        .channels(MESSAGES)
        .node(
            "agent",
            (_, _) -> {
              throw new CustomError("Boo!");
            })
        .edge(START, "agent")
        .edge("agent", END)
        .compile();
  }
}
