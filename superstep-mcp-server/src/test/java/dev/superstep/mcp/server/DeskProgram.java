package dev.superstep.mcp.server;

import dev.superstep.agent.Agent;
import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.graph.Graph;
import dev.superstep.json.Json;
import dev.superstep.message.ToolCall;
import dev.superstep.message.ToolMessage;
import dev.superstep.model.ScriptedModel;
import dev.superstep.node.NodeContext;
import dev.superstep.node.Question;
import dev.superstep.node.Update;
import dev.superstep.run.Input;
import dev.superstep.schema.JsonSchema;
import dev.superstep.service.ServiceStore;
import dev.superstep.state.Channel;
import dev.superstep.state.State;
import dev.superstep.store.jdbc.PostgresCheckpointer;
import dev.superstep.store.jdbc.PostgresServiceStore;
import dev.superstep.store.jdbc.SqliteCheckpointer;
import dev.superstep.store.jdbc.SqliteServiceStore;
import dev.superstep.test.postgres.PostgresDatabase;
import dev.superstep.tool.SideEffect;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolPolicy;
import dev.superstep.tool.ToolResult;
import dev.superstep.tool.Tools;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;

/// A server with everything that the tests want, as a process of its own or in that of the test.
final class DeskProgram {
  static final Channel<Long, Long> COUNT = Channel.sum("count");

  private static final Channel<List<String>, String> SAID = Channel.append("said", String.class);
  private static final Question<String, Name> LEFT =
      Question.of("left_name", String.class, Name.class);
  private static final Question<String, Name> RIGHT =
      Question.of("right_name", String.class, Name.class);

  private final Path folder;

  private DeskProgram(Path folder) {
    this.folder = folder;
  }

  record Nothing() {}

  record Name(String name) {}

  record Text(String text) {}

  record Times(int millis) {}

  record Counted(long count) {}

  /// Serves by standard streams, or at a port. The stores are a file, or a database of PostgreSQL
  /// with this name and port.
  public static void main(String[] arguments) throws Exception {
    var folder = Path.of(arguments[0]);
    var file = folder.resolve("desk.db");
    if (arguments.length > 2) {
      var source = new PostgresDatabase(arguments[2], Integer.parseInt(arguments[3])).dataSource();
      serve(arguments, PostgresCheckpointer.on(source), PostgresServiceStore.on(source));
    } else {
      serve(arguments, SqliteCheckpointer.open(file), SqliteServiceStore.open(file));
    }
  }

  private static void serve(String[] arguments, Checkpointer states, ServiceStore records)
      throws Exception {
    try (states;
        records;
        var host = host(Path.of(arguments[0]), states, records).build()) {
      if (arguments.length == 1) {
        host.serve();
      } else {
        var server = host.start(Integer.parseInt(arguments[1]));
        // So that a process that is told to end gets the time to do so.
        Runtime.getRuntime().addShutdownHook(new Thread(server::close));
        System.out.println(server.port());
        server.awaitStop();
      }
    }
  }

  static McpHostBuilder host(Path folder, Checkpointer states, ServiceStore records) {
    var program = new DeskProgram(folder);
    return OrderDesk.host(states, records)
        .tool(
            Tool.of("echo", "Says it.", Text.class, (given, _) -> given.text())
                .withPolicy(ToolPolicy.readOnly()))
        .tool(Tool.of("sleep", "Takes its time.", Times.class, DeskProgram::sleep))
        .tool(Tool.of("fail", "Fails.", Nothing.class, (_, _) -> fail()))
        .tool(
            Tool.of("pay", "Pays.", Nothing.class, (_, _) -> program.effect("paid"))
                .withPolicy(ToolPolicy.of(SideEffect.PAYMENT).approved()))
        .tool(
            Tool.of(
                "weigh",
                "Weighs.",
                Nothing.class,
                (_, _) -> ToolResult.of("5 g").withArtifact(Json.parse("{\"grams\": 5}"))),
            JsonSchema.parse(
                Json.parse(
                    "{\"type\": \"object\", \"properties\": {\"grams\": {\"type\": \"integer\"}},"
                        + " \"required\": [\"grams\"]}")))
        .graph("names", "Asks for two names at once.", names(), saying())
        .graph("break", "Breaks.", breaking(), saying())
        .agent(program.agent(), "Answers questions about orders.")
        .graph(
            "count",
            "Counts, once it may.",
            program.counting(),
            new GraphForm(
                JsonSchema.of(Nothing.class),
                _ -> Input.none(),
                end -> Json.of(new Counted(end.get(COUNT))),
                Optional.of(JsonSchema.of(Counted.class))));
  }

  private static GraphForm saying() {
    return new GraphForm(
        JsonSchema.of(Nothing.class),
        _ -> Input.none(),
        end -> Json.string(end.get(SAID).toString()),
        Optional.empty());
  }

  /// Asks two questions in one superstep.
  private static Graph names() {
    return Graph.named("names")
        .channels(SAID)
        .questions(LEFT, RIGHT)
        .node("left", (_, context) -> Update.of(SAID, context.interrupt(LEFT, "Left?").name()))
        .node("right", (_, context) -> Update.of(SAID, context.interrupt(RIGHT, "Right?").name()))
        .edge(Graph.START, "left")
        .edge(Graph.START, "right")
        .edge("left", Graph.END)
        .edge("right", Graph.END)
        .compile();
  }

  private static Graph breaking() {
    return Graph.named("breaking")
        .channels(SAID)
        .node("broken", (_, _) -> Update.of(SAID, fail()))
        .edge(Graph.START, "broken")
        .edge("broken", Graph.END)
        .compile();
  }

  private static String fail() {
    throw new IllegalStateException("the secret is 42");
  }

  private static String sleep(Times given, dev.superstep.tool.ToolContext context)
      throws InterruptedException {
    Thread.sleep(given.millis());
    return "slept";
  }

  private Agent<String> agent() {
    var model =
        ScriptedModel.by(request -> {
          if (request.messages().getLast() instanceof ToolMessage result) {
            return ScriptedModel.text("I found this. " + result.text());
          }
          return ScriptedModel.calls(new ToolCall("c1", "find_order", "{\"order\": \"4711\"}"));
        });
    return Agent.named("desk").model(model).tools(Tools.of(OrderDesk.FIND_ORDER)).build();
  }

  private String effect(String line) throws IOException {
    Files.writeString(
        folder.resolve("effects"),
        line + "\n",
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
    return line;
  }

  /// The effects so far, one on a line.
  static String effects(Path folder) throws IOException {
    var file = folder.resolve("effects");
    return Files.exists(file) ? Files.readString(file) : "";
  }

  /// Does something once, then waits until there is a file `go`.
  private Graph counting() {
    return Graph.named("counting")
        .channels(COUNT)
        .node("first", (_, context) -> counted(context, "first"))
        .node("second", this::waits)
        .edge(Graph.START, "first")
        .edge("first", "second")
        .edge("second", Graph.END)
        .compile();
  }

  private Update counted(NodeContext context, String what) throws Exception {
    context.step("effect", () -> effect(what));
    McpCall.of(context).ifPresent(call -> call.progress(1, 2, what));
    return Update.of(COUNT, 1L);
  }

  private Update waits(State state, NodeContext context) throws Exception {
    Files.writeString(folder.resolve("waiting"), "");
    while (!Files.exists(folder.resolve("go"))) Thread.sleep(20);
    return counted(context, "second");
  }
}
