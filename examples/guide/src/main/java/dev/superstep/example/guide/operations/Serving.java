package dev.superstep.example.guide.operations;

import dev.superstep.agent.Agent;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.model.ScriptedModel;
import dev.superstep.server.AgentServer;
import dev.superstep.server.graph.ServedGraph;
import dev.superstep.server.security.ApiKeys;
import dev.superstep.server.security.Authorizer;
import dev.superstep.service.InMemoryServiceStore;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;

/// An agent as a service of its own, whose clients see their own threads only. The model is
/// scripted.
public final class Serving {
  private Serving() {}

  private static AgentServer start(Agent<String> desk) throws IOException {
    var documents = InMemoryServiceStore.open();
    return AgentServer.on(new InMemoryCheckpointer(), documents)
        .serving(ServedGraph.of(desk.graph()).describedAs("Answers customers"))
        .authenticator(ApiKeys.parse("ann key-of-ann-123456; bob key-of-bob-123456"))
        .authorizer(Authorizer.ownThreads())
        .start(0);
  }

  public static void main(String[] args) throws Exception {
    var desk = Agent.named("desk").model(ScriptedModel.saying("It is on its way.")).build();
    try (var server = start(desk);
        var client = HttpClient.newHttpClient()) {
      var threads = server.address().resolve("/threads");
      print(post(client, threads, "nobody", "{}"));

      print(post(client, threads, "key-of-ann-123456", "{\"thread_id\":\"order-7\"}"));
      var run =
          """
          {"assistant_id": "desk",
           "input": {"messages": [{"role": "user", "content": "Where is order 7?"}]}}
          """;
      var wait = server.address().resolve("/threads/order-7/runs/wait");
      print(post(client, wait, "key-of-ann-123456", run));
      print(post(client, wait, "key-of-bob-123456", run));
    }
  }

  private static HttpResponse<String> post(HttpClient client, URI to, String key, String body)
      throws Exception {
    return client.send(
        HttpRequest.newBuilder(to)
            .header("x-api-key", key)
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build(),
        BodyHandlers.ofString());
  }

  private static void print(HttpResponse<String> answer) {
    var text = answer.body().replaceFirst("^\\{\"detail\":\"(.*)\"}$", "$1");
    boolean isSaid = text.contains("on its way");
    System.out.println(
        answer.statusCode()
            + " "
            + (isSaid ? "… It is on its way." : text.startsWith("{") ? "{…}" : text));
  }
}
