package dev.superstep.example.guide.operations;

import dev.superstep.agent.Agent;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.json.Json;
import dev.superstep.model.ScriptedModel;
import dev.superstep.server.AgentServer;
import dev.superstep.server.extension.RequestRefused;
import dev.superstep.server.extension.ServerExtension;
import dev.superstep.server.extension.ServerRequest;
import dev.superstep.server.extension.ServerResponse;
import dev.superstep.server.extension.ServerRoutes;
import dev.superstep.server.graph.ServedGraph;
import dev.superstep.service.InMemoryServiceStore;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Map;

/// A protocol of one route: a question in the address.
public final class PlainText implements ServerExtension {
  @Override
  public void addTo(ServerRoutes routes) {
    routes.on("GET", "/ask/{agent}", PlainText::ask);
  }

  private static ServerResponse ask(ServerRequest request) throws InterruptedException {
    var question = request.query("q").orElseThrow(() -> new RequestRefused(422, "Ask by `q`."));
    var run = Map.of("assistant_id", request.part("agent"), "input", input(question));
    return ServerResponse.json(200, request.api().send("POST", "/runs/wait", Json.of(run)));
  }

  private static Map<String, ?> input(String question) {
    return Map.of("messages", List.of(Map.of("role", "user", "content", question)));
  }

  public static void main(String[] args) throws Exception {
    var desk = Agent.named("desk").model(ScriptedModel.saying("At nine.")).build();
    try (var server =
            AgentServer.on(new InMemoryCheckpointer(), InMemoryServiceStore.open())
                .serving(ServedGraph.of(desk.graph()))
                .extension(new PlainText())
                .start(0);
        var client = HttpClient.newHttpClient()) {
      var place = server.address().resolve("/ask/desk?q=When+do+you+open");
      var answer = client.send(HttpRequest.newBuilder(place).build(), BodyHandlers.ofString());
      System.out.println(answer.statusCode() + " " + answer.body().contains("At nine."));
    }
  }
}
