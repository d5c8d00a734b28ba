package dev.superstep.example.guide.operations;

import dev.superstep.agent.Agent;
import dev.superstep.agui.AgUi;
import dev.superstep.agui.FrontEnd;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.message.ToolCall;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ScriptedModel;
import dev.superstep.server.AgentServer;
import dev.superstep.server.graph.ServedGraph;
import dev.superstep.service.InMemoryServiceStore;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.regex.Pattern;

/// An agent behind AG-UI, with a tool that the page of the user runs. Its model is scripted.
public final class ShopUi {
  record Order(int number) {}

  private ShopUi() {}

  static AgentServer start(ChatModel model) throws IOException {
    var confirm = FrontEnd.tool("confirm_order", "Lets the user confirm an order.", Order.class);
    var shop = Agent.named("shop").model(model).middleware(FrontEnd.of(confirm)).build();
    return AgentServer.on(new InMemoryCheckpointer(), InMemoryServiceStore.open())
        .serving(ServedGraph.of(shop.graph()))
        .extension(AgUi.protocol())
        .start(0);
  }

  private static final String ORDER =
      """
      {"threadId": "t1", "runId": "r1",
       "messages": [{"id": "m1", "role": "user", "content": "Order the lamp."}],
       "tools": [{"name": "confirm_order", "description": "Asks the user"}]}
      """;

  private static final String CONFIRMED =
      """
      {"threadId": "t1", "runId": "r2",
       "messages": [{"id": "m1", "role": "user", "content": "Order the lamp."},
        {"id": "m2", "role": "tool", "toolCallId": "c1", "content": "yes"}],
       "tools": [{"name": "confirm_order", "description": "Asks the user"}]}
      """;

  private static final Pattern EVENT =
      Pattern.compile("data: \\{\"type\":\"((?:TEXT|TOOL|RUN)\\w*)\"");

  public static void main(String[] args) throws Exception {
    var call = ScriptedModel.calls(new ToolCall("c1", "confirm_order", "{\"number\": 7}"));
    var model = ScriptedModel.replying(call, ScriptedModel.text("It is ordered."));
    try (var server = start(model);
        var client = HttpClient.newHttpClient()) {
      for (var input : new String[] {ORDER, CONFIRMED}) {
        var request =
            HttpRequest.newBuilder(server.address().resolve("/agui/shop"))
                .header("content-type", "application/json")
                .POST(BodyPublishers.ofString(input))
                .build();
        var events = client.send(request, BodyHandlers.ofString()).body();
        EVENT.matcher(events).results().map(event -> event.group(1)).forEach(System.out::println);
      }
    }
  }
}
