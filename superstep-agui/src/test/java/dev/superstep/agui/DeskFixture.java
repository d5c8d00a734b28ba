package dev.superstep.agui;

import dev.superstep.agent.Agent;
import dev.superstep.graph.Graph;
import dev.superstep.json.Json;
import dev.superstep.message.AssistantMessage;
import dev.superstep.message.Content;
import dev.superstep.message.Message;
import dev.superstep.message.Messages;
import dev.superstep.message.ToolCall;
import dev.superstep.message.ToolMessage;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ModelRef;
import dev.superstep.model.ScriptedModel;
import dev.superstep.model.ToolSpec;
import dev.superstep.model.Usage;
import dev.superstep.node.Question;
import dev.superstep.node.Update;
import dev.superstep.server.AgentServer;
import dev.superstep.server.graph.ServedGraph;
import dev.superstep.service.ServiceStore;
import dev.superstep.state.Channel;
import dev.superstep.store.jdbc.SqliteCheckpointer;
import dev.superstep.store.jdbc.SqliteServiceStore;
import dev.superstep.tool.SideEffect;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolGate;
import dev.superstep.tool.ToolPolicy;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;

/// Graphs that the tests of AG-UI serve: an agent that is told what to do by the first word of what
/// is said, a graph with state, and one that waits.
final class DeskFixture {
  static final Channel<List<Message>, Message> MESSAGES = Messages.channel("messages");
  static final Channel<String, String> DOCUMENT = Channel.latest("document", String.class);
  static final Channel<List<String>, String> NOTES = Channel.append("notes", String.class);
  static final Channel<String, String> SECRET = Channel.latest("secret", String.class);
  static final Question<String, String> TITLE = Question.of("title", String.class, String.class);

  private DeskFixture() {}

  record Parcel(String number) {}

  record Chart(String title, List<Integer> values) {}

  /// A model that speaks word by word, and thinks first if it is told to.
  private record WordByWord(ChatModel model) implements ChatModel {
    @Override
    public ModelRef ref() {
      return model.ref();
    }

    @Override
    public ChatReply call(ChatRequest request) throws InterruptedException {
      return model.call(request);
    }

    @Override
    public ChatReply stream(ChatRequest request, DeltaListener listener)
        throws InterruptedException {
      var reply = call(request);
      for (var part : reply.message().content()) {
        if (part instanceof Content.Thinking(var thought, _)) listener.onThinking(thought);
        if (!(part instanceof Content.Text(var text))) continue;
        for (var word : text.split("(?<= )")) if (!word.isEmpty()) listener.onText(word);
      }
      return reply;
    }
  }

  static Graph agent() {
    return desk().graph();
  }

  private static Agent<String> desk() {
    var find = Tool.of("find", "Finds a parcel", Parcel.class, (p, _) -> "here " + p.number());
    var pay =
        Tool.of("pay", "Pays for a parcel", Parcel.class, (p, _) -> "paid " + p.number())
            .withPolicy(ToolPolicy.of(SideEffect.PAYMENT));
    return Agent.named("desk")
        .model(new WordByWord(ScriptedModel.by(DeskFixture::reply)))
        .tools(find, pay)
        .middleware(FrontEnd.of(FrontEnd.tool("chart", "Shows a chart", Chart.class)))
        .gate(ToolGate.open().confirming(SideEffect.PAYMENT))
        .build();
  }

  private static ChatReply reply(ChatRequest request) {
    var last = request.messages().getLast();
    var said = last.text();
    if (last instanceof ToolMessage) return text("It is " + said + ".");
    int blank = said.indexOf(' ');
    var word = blank < 0 ? said : said.substring(0, blank);
    var rest = said.substring(blank + 1);
    return switch (word) {
      case "find", "pay" -> call(word, rest, "{\"number\":\"" + rest + "\"}");
      case "chart" -> call(word, rest, "{\"title\":\"" + rest + "\",\"values\":[1,2]}");
      case "tools" -> text(request.tools().stream().map(ToolSpec::name).toList().toString());
      case "think" ->
          reply(
              List.of(
                  new Content.Thinking("Hm, " + rest, Optional.empty()), new Content.Text("Yes.")),
              List.of());
      default -> text("You said: " + said);
    };
  }

  private static ChatReply call(String tool, String id, String arguments) {
    return reply(
        List.of(new Content.Text("One moment.")),
        List.of(new ToolCall("call-" + id, tool, arguments)));
  }

  private static ChatReply text(String text) {
    return reply(List.of(new Content.Text(text)), List.of());
  }

  private static ChatReply reply(List<Content> content, List<ToolCall> calls) {
    var finish = calls.isEmpty() ? ChatReply.Finish.STOP : ChatReply.Finish.TOOL_CALLS;
    var message = new AssistantMessage("", content, calls);
    return ScriptedModel.reply(message, new Usage(100, 0, 20, 0), finish);
  }

  /// Writes a document in two steps, and asks for its title in between.
  static Graph writer() {
    return Graph.named("writer")
        .channels(MESSAGES, DOCUMENT, NOTES, SECRET)
        .questions(TITLE)
        .node(
            "draft",
            (state, context) -> {
              context.emit("draft.made", Map.of("by", "writer"));
              var before = state.find(DOCUMENT).orElse("");
              return Update.of(DOCUMENT, before + "Once.").and(NOTES, "drafted").and(SECRET, "s3");
            })
        .node(
            "title",
            (state, context) -> {
              var title = context.interrupt(TITLE, "Which title?");
              return Update.of(DOCUMENT, title + ": " + state.get(DOCUMENT)).and(NOTES, "titled");
            })
        .sequence(Graph.START, "draft", "title", Graph.END)
        .compile();
  }

  /// An agent that asks the desk, which is a tool of it.
  static Graph lead() {
    return Agent.named("lead")
        .model(new WordByWord(ScriptedModel.by(DeskFixture::led)))
        .tools(
            Agent.named("helper")
                .model(new WordByWord(ScriptedModel.by(DeskFixture::reply)))
                .tools(
                    Tool.of("find", "Finds a parcel", Parcel.class, (p, _) -> "here " + p.number()),
                    Tool.of(
                            "pay",
                            "Pays for a parcel",
                            Parcel.class,
                            (p, _) -> "paid " + p.number())
                        .withPolicy(ToolPolicy.of(SideEffect.PAYMENT)))
                .gate(ToolGate.open().confirming(SideEffect.PAYMENT))
                .build()
                .asTool("Helps with parcels"))
        .build()
        .graph();
  }

  private static ChatReply led(ChatRequest request) {
    var last = request.messages().getLast();
    if (last instanceof ToolMessage) return text("The helper says: " + last.text());
    var input = Json.of(Map.of("task", last.text())).text();
    return reply(List.of(), List.of(new ToolCall("help-1", "helper", input)));
  }

  /// The desk as a graph inside another one.
  static Graph office() {
    return Graph.named("office")
        .channels(MESSAGES)
        .node("desk", desk().on(MESSAGES))
        .edge(Graph.START, "desk")
        .edge("desk", Graph.END)
        .compile();
  }

  /// Waits inside of a node until it is let go or interrupted.
  static Graph waiting(CountDownLatch begun, CountDownLatch go) {
    return Graph.named("waiting")
        .channels(MESSAGES, NOTES)
        .node(
            "wait",
            (_, _) -> {
              begun.countDown();
              go.await();
              return Update.of(NOTES, "done");
            })
        .edge(Graph.START, "wait")
        .edge("wait", Graph.END)
        .compile();
  }

  static List<ServedGraph> served() {
    return List.of(
        ServedGraph.of(agent()),
        ServedGraph.of(lead()),
        ServedGraph.of(office()),
        ServedGraph.of(writer()).giving(List.of("messages", "document", "notes")));
  }

  /// A server on a file, with its stores.
  record Running(AgentServer server, SqliteCheckpointer threads, ServiceStore documents)
      implements AutoCloseable {
    static Running on(Path file, AgUi protocol) throws IOException {
      var threads = SqliteCheckpointer.open(file);
      var documents = SqliteServiceStore.open(file);
      var server =
          AgentServer.on(threads, documents).serving(served()).extension(protocol).start(0);
      return new Running(server, threads, documents);
    }

    @Override
    public void close() {
      server.close();
      documents.close();
      threads.close();
    }
  }
}
