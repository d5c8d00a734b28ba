package dev.superstep.remote;

import dev.superstep.graph.Graph;
import dev.superstep.json.Json;
import dev.superstep.node.Node;
import dev.superstep.node.NodeContext;
import dev.superstep.node.Question;
import dev.superstep.node.Update;
import dev.superstep.run.Input;
import dev.superstep.state.Channel;
import dev.superstep.state.State;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolGate;
import dev.superstep.tool.ToolGraph;
import dev.superstep.tool.ToolResult;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;

/// A graph that a server runs, by the API of LangGraph: a server of Superstep or one of LangGraph.
/// Immutable, safe for many threads.
///
/// ```java
/// var desk = RemoteGraph.at(URI.create("https://desk.example.com"), "support-desk").apiKey(key);
/// Graph.named("office")
///     .channels(ORDER, ANSWER)
///     .questions(RemoteGraph.QUESTION)
///     .node("desk", desk.node(state -> Json.of(state.get(ORDER)), RemoteGraph.to(ANSWER)))
/// ```
///
/// A task has one run there, on a thread of its own whose id is made of the task: a task that runs
/// again, here or in another process, waits for the same run. What that run asks is asked here. A
/// task that is cancelled cancels it.
public final class RemoteGraph {
  /// The question of a graph elsewhere: the value of its interrupt. The answer goes back to it. A
  /// graph with a remote node declares it.
  public static final Question<Json, Json> QUESTION =
      Question.of("remote_question", Json.class, Json.class);

  private static final Channel<Json, Json> ARGUMENTS = Channel.latest("arguments", Json.class);
  private static final Channel<Json, Json> RESULT = Channel.latest("result", Json.class);

  private final URI server;
  private final String assistant;
  private final Map<String, String> headers;

  private RemoteGraph(URI server, String assistant, Map<String, String> headers) {
    this.server = server;
    this.assistant = assistant;
    this.headers = headers;
  }

  /// A graph of a server.
  ///
  /// @param server its address, with the path under which its API is, if there is one
  /// @param assistant the id of a graph or of an assistant
  public static RemoteGraph at(URI server, String assistant) {
    var scheme = String.valueOf(server.getScheme());
    if (!scheme.equals("http") && !scheme.equals("https")) {
      throw new IllegalArgumentException(
          "server must be an address with http or https, was " + server);
    }
    return new RemoteGraph(server, assistant, Map.of());
  }

  /// Returns a copy with a key for each request.
  public RemoteGraph apiKey(String key) {
    return header("x-api-key", key);
  }

  /// Returns a copy with one more header for each request.
  public RemoteGraph header(String name, String value) {
    var more = new LinkedHashMap<>(headers);
    more.put(name, value);
    return new RemoteGraph(server, assistant, Map.copyOf(more));
  }

  URI server() {
    return server;
  }

  String assistant() {
    return assistant;
  }

  Map<String, String> headers() {
    return headers;
  }

  // --- As a node ---

  /// A node that runs the graph. The graph around declares [#QUESTION], and its runs are saved.
  ///
  /// @param input the graph's input, of the state here
  /// @param result what the node writes, of the graph's final values
  public Node node(Function<State, Json> input, Function<Json, Update> result) {
    return (state, context) -> result.apply(ran(input.apply(state), context));
  }

  /// Writes the final values as they are.
  public static Function<Json, Update> to(Channel<?, Json> channel) {
    return values -> Update.of(channel, values);
  }

  /// The id of the thread of a task: the same for the same task.
  private static String thread(NodeContext context) {
    var name = "superstep-remote " + context.enclosingTasks() + " " + context.task();
    return UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8)).toString();
  }

  private Json ran(Json input, NodeContext context) throws Exception {
    var client = new RemoteClient(this, context);
    var thread = thread(context);
    boolean hasEnded = false;
    try {
      var values = ran(client, thread, input, context);
      hasEnded = true;
      return values;
    } finally {
      // Whichever way the cancellation takes: not every throwable of it is an exception.
      if (!hasEnded && context.isCancelled()) client.cancel(thread);
    }
  }

  private static Json ran(RemoteClient client, String thread, Json input, NodeContext context)
      throws Exception {
    var run = context.step("start", String.class, () -> client.start(thread, input));
    for (int turn = 1; ; turn++) {
      var end = client.join(thread, run);
      if (end.open().isEmpty()) return end.values();
      var answers = new LinkedHashMap<String, Json>();
      end.open().forEach((id, asked) -> answers.put(id, context.interrupt(QUESTION, asked)));
      int place = turn;
      run =
          context.step(
              "resume " + place, String.class, () -> client.resume(thread, answers, place));
    }
  }

  // --- As a tool ---

  /// A tool that runs the graph. Its questions are those of the agent that calls it.
  ///
  /// @param name in snake case
  /// @param description tells the model when to use it
  /// @param arguments a record; as JSON it is the graph's input
  /// @param result what the model is told, of the graph's final values
  public <A extends Record> Tool tool(
      String name, String description, Class<A> arguments, Function<Json, String> result) {
    return Tool.of(name, description, arguments, new AsTool(graph(name), result));
  }

  private Graph graph(String name) {
    return Graph.named(name)
        .channels(ARGUMENTS, RESULT)
        .questions(QUESTION)
        .node("remote", node(state -> state.get(ARGUMENTS), to(RESULT)))
        .edge(Graph.START, "remote")
        .edge("remote", Graph.END)
        .compile();
  }

  private record AsTool(Graph graph, Function<Json, String> told) implements ToolGraph {
    @Override
    public ToolGraph within(ToolGate gate) {
      // What runs elsewhere obeys the gates that it has there.
      return this;
    }

    @Override
    public Input input(Json arguments) {
      return Input.of(ARGUMENTS, arguments);
    }

    @Override
    public ToolResult result(State end) {
      return ToolResult.of(told.apply(end.get(RESULT)));
    }
  }

  @Override
  public String toString() {
    return "Graph `" + assistant + "` at " + server;
  }
}
