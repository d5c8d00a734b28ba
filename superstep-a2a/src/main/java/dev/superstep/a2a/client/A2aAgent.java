package dev.superstep.a2a.client;

import dev.superstep.graph.Graph;
import dev.superstep.json.Json;
import dev.superstep.node.Node;
import dev.superstep.node.NodeContext;
import dev.superstep.node.Question;
import dev.superstep.node.Update;
import dev.superstep.run.Input;
import dev.superstep.schema.Description;
import dev.superstep.state.Channel;
import dev.superstep.state.State;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolGate;
import dev.superstep.tool.ToolGraph;
import dev.superstep.tool.ToolResult;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;

/// An agent elsewhere that speaks A2A 1.0 in the JSON-RPC or the HTTP+JSON binding, as a node or a
/// tool here. The binding is the first of those in its card. Immutable, safe for many threads.
///
/// ```java
/// var desk = A2aAgent.at(URI.create("https://desk.example.com")).apiKey(key);
/// Graph.named("office")
///     .channels(ORDER, ANSWER)
///     .questions(A2aAgent.QUESTION)
///     .node("desk", desk.node(
///         state -> state.get(ORDER), result -> Update.of(ANSWER, result.text())))
/// ```
///
/// A task here has one task there, in a context of its own whose id is made of the task. The id of
/// the other task is saved before it is awaited: a task that runs again, here or in another
/// process, waits for the same one. What the agent asks is asked here, and so is an authentication
/// that it needs. A task that is cancelled here is cancelled there.
public final class A2aAgent {
  /// The question of an agent elsewhere. A graph with a node of this kind declares it.
  public static final Question<A2aQuestion, A2aAnswer> QUESTION =
      Question.of("a2a_question", A2aQuestion.class, A2aAnswer.class);

  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final Channel<String, String> MESSAGE = Channel.latest("message", String.class);
  private static final Channel<A2aResult, A2aResult> RESULT =
      Channel.latest("result", A2aResult.class);

  private final URI address;
  private final Map<String, String> headers;
  private final Duration timeout;
  private final Optional<CardKeys> keys;

  private A2aAgent(
      URI address, Map<String, String> headers, Duration timeout, Optional<CardKeys> keys) {
    this.address = address;
    this.headers = headers;
    this.timeout = timeout;
    this.keys = keys;
  }

  /// An agent.
  ///
  /// @param address below which its card is, at `/.well-known/agent-card.json`. The card may name
  ///   an endpoint of the same host only, since that gets the headers
  public static A2aAgent at(URI address) {
    var scheme = String.valueOf(address.getScheme());
    if (!scheme.equals("http") && !scheme.equals("https")) {
      throw new IllegalArgumentException("address must be one with http or https, was " + address);
    }
    return new A2aAgent(address, Map.of(), TIMEOUT, Optional.empty());
  }

  /// Returns a copy with a key for each request, in the header `x-api-key`.
  public A2aAgent apiKey(String key) {
    return header("x-api-key", key);
  }

  /// Returns a copy with one more header for each request, such as `Authorization`.
  public A2aAgent header(String name, String value) {
    var more = new LinkedHashMap<>(headers);
    more.put(name, value);
    return new A2aAgent(address, Map.copyOf(more), timeout, keys);
  }

  /// Returns a copy that gives each answer more or less time, from the request to its last byte; by
  /// default 30 seconds. Tasks may take longer: they are asked about again and again.
  public A2aAgent timeout(Duration most) {
    if (most.isNegative() || most.isZero()) {
      throw new IllegalArgumentException("timeout must be more than 0, was " + most);
    }
    return new A2aAgent(address, headers, most, keys);
  }

  /// Returns a copy that uses the agent only if its card is signed by one of these keys.
  public A2aAgent verifiedBy(CardKeys trusted) {
    return new A2aAgent(address, headers, timeout, Optional.of(trusted));
  }

  Optional<CardKeys> keys() {
    return keys;
  }

  Duration timeout() {
    return timeout;
  }

  URI address() {
    return address;
  }

  Map<String, String> headers() {
    return headers;
  }

  // --- As a node ---

  /// A node that gives the agent a message and waits for the end of its task. The graph around
  /// declares [#QUESTION], and its runs are saved.
  ///
  /// @param message of the state here
  /// @param result what the node writes
  public Node node(Function<State, String> message, Function<A2aResult, Update> result) {
    return (state, context) -> result.apply(ran(message.apply(state), context));
  }

  /// The id of the context of a task: the same for the same task.
  private static String id(NodeContext context) {
    var name = "superstep-a2a " + context.enclosingTasks() + " " + context.task();
    return UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8)).toString();
  }

  private A2aResult ran(String message, NodeContext context) throws Exception {
    var client = new AgentClient(this, context);
    var tasks = new RemoteTask(client, context, id(context));
    boolean hasEnded = false;
    try {
      var result = tasks.run(message);
      hasEnded = true;
      return result;
    } finally {
      // Whichever way the cancellation takes: not every throwable of it is an exception.
      if (!hasEnded && context.isCancelled()) tasks.cancel();
    }
  }

  // --- As a tool ---

  /// The arguments of [#tool].
  ///
  /// @param message what the agent is told
  public record Request(@Description("All that the agent needs to know.") String message) {}

  /// A tool that gives the agent a message. Its questions are those of the agent that calls it.
  ///
  /// @param name in snake case
  /// @param description tells the model when to use it
  public Tool tool(String name, String description) {
    return Tool.of(name, description, Request.class, new AsTool(graph(name)));
  }

  private Graph graph(String name) {
    return Graph.named(name)
        .channels(MESSAGE, RESULT)
        .questions(QUESTION)
        .node("a2a", node(state -> state.get(MESSAGE), result -> Update.of(RESULT, result)))
        .edge(Graph.START, "a2a")
        .edge("a2a", Graph.END)
        .compile();
  }

  private record AsTool(Graph graph) implements ToolGraph {
    @Override
    public ToolGraph within(ToolGate gate) {
      // What runs elsewhere obeys the gates that it has there.
      return this;
    }

    @Override
    public Input input(Json arguments) {
      return Input.of(MESSAGE, arguments.as(Request.class).message());
    }

    @Override
    public ToolResult result(State end) {
      var result = end.get(RESULT);
      var text = new StringBuilder(result.text());
      for (var data : result.data()) text.append(text.isEmpty() ? "" : "\n").append(data.text());
      return ToolResult.of(text.toString());
    }
  }

  @Override
  public String toString() {
    return "A2aAgent[" + address + "]";
  }
}
