package dev.superstep.a2a;

import dev.superstep.a2a.server.A2aServer;
import dev.superstep.agent.Agent;
import dev.superstep.graph.Graph;
import dev.superstep.message.AssistantMessage;
import dev.superstep.message.Content;
import dev.superstep.message.ToolCall;
import dev.superstep.message.ToolMessage;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ModelRef;
import dev.superstep.model.ScriptedModel;
import dev.superstep.model.Usage;
import dev.superstep.node.Question;
import dev.superstep.node.Update;
import dev.superstep.server.AgentServer;
import dev.superstep.server.graph.ServedGraph;
import dev.superstep.server.options.ServerOptions;
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
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/// The agents that the tests of A2A serve: one that is told what to do by the first word of what is
/// said, one without a conversation that asks, one that fails, and one that waits.
final class DeskFixture {
  static final Channel<Integer, Integer> NUMBER = Channel.latest("number", Integer.class);
  static final Channel<String, String> LABEL = Channel.latest("label", String.class);
  static final Question<String, String> NAME = Question.of("name", String.class, String.class);

  /// The number of questions to models.
  final AtomicInteger asked = new AtomicInteger();

  final CountDownLatch begun = new CountDownLatch(1);
  final CountDownLatch go = new CountDownLatch(1);

  record Parcel(String number) {}

  Graph desk() {
    var find = Tool.of("find", "Finds a parcel", Parcel.class, (p, _) -> "here " + p.number());
    var pay =
        Tool.of("pay", "Pays for a parcel", Parcel.class, (p, _) -> "paid " + p.number())
            .withPolicy(ToolPolicy.of(SideEffect.PAYMENT));
    return Agent.named("desk")
        .model(ScriptedModel.by(this::reply))
        .tools(find, pay)
        .gate(ToolGate.open().confirming(SideEffect.PAYMENT))
        .build()
        .graph();
  }

  private ChatReply reply(ChatRequest request) {
    asked.incrementAndGet();
    var last = request.messages().getLast();
    var said = last.text();
    if (last instanceof ToolMessage) return reply("It is " + said + ".", List.of());
    int blank = said.indexOf(' ');
    var word = blank < 0 ? said : said.substring(0, blank);
    if (!word.equals("find") && !word.equals("pay")) return reply("You said: " + said, List.of());
    var number = said.substring(blank + 1);
    var call = new ToolCall("call-" + number, word, "{\"number\":\"" + number + "\"}");
    return reply("One moment.", List.of(call));
  }

  private static ChatReply reply(String text, List<ToolCall> calls) {
    var finish = calls.isEmpty() ? ChatReply.Finish.STOP : ChatReply.Finish.TOOL_CALLS;
    var message = new AssistantMessage("", List.of(new Content.Text(text)), calls);
    return ScriptedModel.reply(message, new Usage(100, 0, 20, 0), finish);
  }

  static Graph labels() {
    return Graph.named("labels")
        .channels(NUMBER, LABEL)
        .questions(NAME)
        .node(
            "label",
            (state, context) ->
                Update.of(LABEL, context.interrupt(NAME, "Whose?") + state.get(NUMBER)))
        .edge(Graph.START, "label")
        .edge("label", Graph.END)
        .compile();
  }

  static Graph failing() {
    return Graph.named("failing")
        .channels(LABEL)
        .node(
            "fail",
            (_, _) -> {
              throw new IllegalStateException("Boo!");
            })
        .edge(Graph.START, "fail")
        .edge("fail", Graph.END)
        .compile();
  }

  Graph waiting() {
    return Graph.named("waiting")
        .channels(LABEL)
        .node(
            "wait",
            (_, _) -> {
              begun.countDown();
              go.await();
              return Update.of(LABEL, "done");
            })
        .edge(Graph.START, "wait")
        .edge("wait", Graph.END)
        .compile();
  }

  /// A model that says its reply in three pieces.
  private static final class Speaker implements ChatModel {
    @Override
    public ModelRef ref() {
      return new ModelRef("scripted", "speaker");
    }

    @Override
    public ChatReply call(ChatRequest request) {
      return reply("One by one", List.of());
    }

    @Override
    public ChatReply stream(ChatRequest request, DeltaListener listener) {
      for (var piece : List.of("One ", "by ", "one")) listener.onText(piece);
      return call(request);
    }
  }

  List<ServedGraph> served() {
    return List.of(
        ServedGraph.of(desk()).describedAs("Answers customers"),
        ServedGraph.of(labels()),
        ServedGraph.of(failing()),
        ServedGraph.of(waiting()),
        ServedGraph.of(Agent.named("slow").model(new Speaker()).build().graph()));
  }

  /// A server on a file, with its stores.
  record Running(AgentServer server, SqliteCheckpointer threads, ServiceStore documents)
      implements AutoCloseable {
    @Override
    public void close() {
      server.close();
      documents.close();
      threads.close();
    }
  }

  Running on(Path file, int port) throws IOException {
    return on(file, port, A2aServer.protocol(), ServerOptions.defaults());
  }

  Running on(Path file, int port, A2aServer protocol, ServerOptions options) throws IOException {
    var threads = SqliteCheckpointer.open(file);
    var documents = SqliteServiceStore.open(file);
    var server =
        AgentServer.on(threads, documents)
            .serving(served())
            .extension(protocol)
            .options(options)
            .start(port);
    return new Running(server, threads, documents);
  }
}
