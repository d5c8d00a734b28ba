package dev.superstep.server.sdk;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;

import dev.superstep.graph.Graph;
import dev.superstep.graph.Subgraph;
import dev.superstep.json.Json;
import dev.superstep.message.AssistantMessage;
import dev.superstep.message.Message;
import dev.superstep.message.Messages;
import dev.superstep.message.ToolCall;
import dev.superstep.message.ToolMessage;
import dev.superstep.node.NodeContext;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Question;
import dev.superstep.node.Update;
import dev.superstep.program.RunContext;
import dev.superstep.run.Breakpoints;
import dev.superstep.server.graph.ServedGraph;
import dev.superstep.state.Channel;
import dev.superstep.state.State;
import dev.superstep.store.Namespace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;

/// The graphs that the clients of LangGraph are tried with.
final class FixtureGraphs {
  static final Channel<List<Message>, Message> MESSAGES = Messages.channel("messages");
  static final Channel<Boolean, Boolean> ASKS = Channel.any("interrupt", Boolean.class);
  static final Channel<String, String> CITY = Channel.latest("city", String.class);
  static final Channel<String, String> ROUTE = Channel.latest("route", String.class);
  static final Channel<String, String> GATE = Channel.latest("gate", String.class);
  static final Channel<List<String>, String> SEEN = Channel.append("seen", String.class);
  static final Question<String, String> CONFIRM =
      Question.of("confirm", String.class, String.class);
  static final Namespace GATES = Namespace.of("gates");

  /// The property that names a file in which nodes that count note that they begin.
  static final String NOTES = "superstep.fixtureNotes";

  /// So many supersteps has a run that counts.
  static final int STEPS = 20;

  private static final int STEP_MILLIS = 15;
  private static final int LARGE = 20_000;

  private FixtureGraphs() {}

  static List<ServedGraph> all() {
    return List.of(
        ServedGraph.of(agent()).describedAs("A model, a tool and the model again"),
        ServedGraph.of(weather()),
        ServedGraph.of(failing()),
        ServedGraph.of(gated()),
        ServedGraph.of(endless()),
        ServedGraph.of(configured()),
        ServedGraph.of(counting()),
        ServedGraph.of(staged()),
        ServedGraph.of(large()),
        ServedGraph.of(ChatFixture.graph()));
  }

  static Graph agent() {
    return Graph.named("agent")
        .channels(MESSAGES, ASKS)
        .questions(CONFIRM)
        .node("agent", FixtureGraphs::model)
        .node("tool", FixtureGraphs::tool)
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
    return Graph.named("error")
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

  /// Waits until an item of the store says that it may go on, or until it is cancelled.
  static Graph gated() {
    return Graph.named("gated")
        .channels(GATE, SEEN)
        .node(
            "wait",
            (state, context) -> {
              var gate = state.get(GATE);
              while (!gate.equals("open") && context.store().get(GATES, gate).isEmpty()) {
                Thread.sleep(5);
              }
              return Update.of(SEEN, gate);
            })
        .edge(START, "wait")
        .edge("wait", END)
        .compile();
  }

  /// Never ends by itself.
  static Graph endless() {
    return Graph.named("endless")
        .channels(SEEN)
        .node("again", (_, _) -> Update.of(SEEN, "again"))
        .edge(START, "again")
        .route("again", state -> state.get(SEEN).size() > 1_000_000 ? END : "again", "again", END)
        .compile();
  }

  /// Tells what it was given beside its input.
  static Graph configured() {
    return Graph.named("configured")
        .channels(SEEN)
        .node(
            "tell",
            (_, context) -> {
              var user = field(context.get(RunContext.CONFIGURABLE), "user");
              context.emit("told", Map.of("telling", user));
              var language = field(context.get(RunContext.CONTEXT), "language");
              return Update.all(SEEN, List.of(user, language));
            })
        .edge(START, "tell")
        .edge("tell", END)
        .compile();
  }

  /// Counts in supersteps that take some time.
  static Graph counting() {
    return Graph.named("counting")
        .channels(SEEN)
        .node(
            "count",
            (state, context) -> {
              note(context, state.get(SEEN).size());
              Thread.sleep(STEP_MILLIS);
              return Update.of(SEEN, String.valueOf(state.get(SEEN).size()));
            })
        .edge(START, "count")
        .route("count", state -> state.get(SEEN).size() < STEPS ? "count" : END, "count", END)
        .compile();
  }

  /// Waits for its gate, as `gated`, and has another superstep after that.
  static Graph staged() {
    return Graph.named("staged")
        .channels(GATE, SEEN)
        .node(
            "wait",
            (state, context) -> {
              note(context, 0);
              var gate = state.get(GATE);
              while (context.store().get(GATES, gate).isEmpty()) Thread.sleep(5);
              return Update.of(SEEN, gate);
            })
        .node(
            "after",
            (_, context) -> {
              note(context, 1);
              return Update.of(SEEN, "after");
            })
        .sequence(START, "wait", "after", END)
        .compile();
  }

  /// Counts as `counting` does, with much in its state.
  static Graph large() {
    return Graph.named("large")
        .channels(SEEN)
        .node("grow", (_, _) -> Update.of(SEEN, "x".repeat(LARGE)))
        .edge(START, "grow")
        .route("grow", state -> state.get(SEEN).size() < STEPS ? "grow" : END, "grow", END)
        .compile();
  }

  private static void note(NodeContext context, int step) throws IOException {
    var notes = System.getProperty(NOTES);
    if (notes == null) return;
    var line = field(context.get(RunContext.CONFIGURABLE), "run_id") + " " + step + "\n";
    Files.writeString(Path.of(notes), line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  private static String field(Json object, String name) {
    return new tools.jackson.databind.json.JsonMapper()
        .readTree(object.text())
        .path(name)
        .asString("none");
  }
}
