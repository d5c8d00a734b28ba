package dev.superstep.server.sdk;

import dev.superstep.agent.Agent;
import dev.superstep.graph.Graph;
import dev.superstep.message.AssistantMessage;
import dev.superstep.message.ToolCall;
import dev.superstep.message.ToolMessage;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ModelRef;
import dev.superstep.model.ScriptedModel;
import dev.superstep.model.Usage;
import dev.superstep.tool.SideEffect;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolGate;
import dev.superstep.tool.ToolPolicy;
import java.util.List;

/// An agent to chat with: `find 7` makes it use a tool, `pay 7` one that a person must allow, and
/// anything else it repeats.
final class ChatFixture {
  private static final Usage USED = new Usage(100, 0, 20, 0);

  record Parcel(String number) {}

  private ChatFixture() {}

  /// A model that speaks word by word, at the pace of a reader.
  private record WordByWord(ChatModel model) implements ChatModel {
    private static final int PAUSE_MILLIS = 20;

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
      for (var word : reply.message().text().split("(?<= )")) {
        if (word.isEmpty()) continue;
        listener.onText(word);
        Thread.sleep(PAUSE_MILLIS);
      }
      return reply;
    }
  }

  static Graph graph() {
    var find = Tool.of("find", "Finds a parcel", Parcel.class, (p, _) -> "here " + p.number());
    var pay =
        Tool.of("pay", "Pays for a parcel", Parcel.class, (p, _) -> "paid " + p.number())
            .withPolicy(ToolPolicy.of(SideEffect.PAYMENT));
    return Agent.named("chat")
        .model(new WordByWord(ScriptedModel.by(ChatFixture::reply)))
        .tools(find, pay)
        .gate(ToolGate.open().confirming(SideEffect.PAYMENT))
        .build()
        .graph();
  }

  private static ChatReply reply(ChatRequest request) {
    var last = request.messages().getLast();
    var said = last.text();
    if (last instanceof ToolMessage) return text("It is " + said + ".");
    int blank = said.indexOf(' ');
    var word = blank < 0 ? said : said.substring(0, blank);
    if (!word.equals("find") && !word.equals("pay")) return text("You said: " + said);
    var number = said.substring(blank + 1);
    var call = new ToolCall("call-" + number, word, "{\"number\":\"" + number + "\"}");
    var message = new AssistantMessage("", "One moment.", List.of(call));
    return ScriptedModel.reply(message, USED, ChatReply.Finish.TOOL_CALLS);
  }

  private static ChatReply text(String text) {
    var message = new AssistantMessage("", text, List.of());
    return ScriptedModel.reply(message, USED, ChatReply.Finish.STOP);
  }
}
