package dev.superstep.example.guide.operations;

import dev.superstep.agent.Agent;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.json.Json;
import dev.superstep.model.ScriptedModel;
import dev.superstep.server.AgentServer;
import dev.superstep.server.graph.ServedGraph;
import dev.superstep.server.security.Access;
import dev.superstep.server.security.ApiKeys;
import dev.superstep.server.security.Authorizer;
import dev.superstep.server.security.Authorizer.Decision;
import dev.superstep.service.InMemoryServiceStore;
import dev.superstep.store.Namespace;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Optional;

/// An agent as a service of its own, whose clients see their own threads only. The model is
/// scripted.
public final class Serving {
  private static final Authorizer OWN =
      (who, what) -> {
        // Assistants are for all; nobody changes them.
        if (what.resource() == Access.Resource.ASSISTANTS) {
          return what.action() == Access.Action.READ || what.action() == Access.Action.SEARCH
              ? Decision.ALLOWED
              : new Decision.Denied("Assistants are made by the operators.");
        }
        return new Decision.Allowed(
            Optional.of(Json.parse("{\"owner\":\"" + who.id() + "\"}")),
            Optional.of(Namespace.of("users", who.id())));
      };

  private Serving() {}

  private static AgentServer start(Agent<String> desk) throws IOException {
    var documents = InMemoryServiceStore.open();
    return AgentServer.on(new InMemoryCheckpointer(), documents)
        .serving(ServedGraph.of(desk.graph()).describedAs("Answers customers"))
        .authenticator(ApiKeys.parse("ann key-of-ann-123456; bob key-of-bob-123456"))
        .authorizer(OWN)
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
    var text = answer.body();
    boolean isSaid = text.contains("on its way");
    System.out.println(
        answer.statusCode()
            + " "
            + (isSaid ? "… It is on its way." : text.startsWith("{") ? "{…}" : text));
  }
}
