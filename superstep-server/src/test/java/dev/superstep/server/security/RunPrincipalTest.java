package dev.superstep.server.security;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.credential.RunPrincipal;
import dev.superstep.graph.Graph;
import dev.superstep.node.Question;
import dev.superstep.node.Update;
import dev.superstep.server.AgentServer;
import dev.superstep.server.graph.ServedGraph;
import dev.superstep.service.InMemoryServiceStore;
import dev.superstep.state.Channel;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// A run of a server works for the client that asked for it, and for nobody else.
@Timeout(60)
class RunPrincipalTest {
  private static final String ANN = "key-of-ann-123456";
  private static final String BOB = "key-of-bob-123456";
  private static final Channel<List<String>, String> WHO = Channel.append("who", String.class);
  private static final Question<String, String> GO = Question.of("go", String.class, String.class);
  private static final Graph GRAPH =
      Graph.named("principals")
          .channels(WHO)
          .questions(GO)
          .node(
              "tell",
              (_, context) -> {
                var who = context.find(RunPrincipal.KEY).map(RunPrincipal::id).orElse("nobody");
                context.interrupt(GO, "Go on?");
                return Update.of(WHO, who);
              })
          .edge(START, "tell")
          .edge("tell", END)
          .compile();

  private final HttpClient client = HttpClient.newHttpClient();

  private JsonNode send(AgentServer server, String key, String path, String body) throws Exception {
    var request =
        HttpRequest.newBuilder(server.address().resolve(path))
            .header("x-api-key", key)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(body));
    var response = client.send(request.build(), BodyHandlers.ofString());
    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    return new JsonMapper().readTree(response.body());
  }

  @Test
  void a_run_has_the_client_that_asked_for_it_and_one_that_resumes_has_the_resumer()
      throws Exception {
    try (var server =
        AgentServer.on(new InMemoryCheckpointer(), InMemoryServiceStore.open())
            .serving(ServedGraph.of(GRAPH))
            .authenticator(ApiKeys.parse("ann " + ANN + "; bob " + BOB))
            .start(0)) {
      var thread = send(server, ANN, "/threads", "{}").path("thread_id").asString();
      var runs = "/threads/" + thread + "/runs/wait";
      send(server, ANN, runs, "{\"assistant_id\":\"principals\",\"input\":{}}");
      var resume = "{\"assistant_id\":\"principals\",\"command\":{\"resume\":\"yes\"}}";
      var ended = send(server, BOB, runs, resume);
      assertThat(ended.path("who").toString()).isEqualTo("[\"bob\"]");
    }
  }

  @Test
  void where_nobody_says_who_they_are_a_run_works_for_nobody() throws Exception {
    try (var server =
        AgentServer.on(new InMemoryCheckpointer(), InMemoryServiceStore.open())
            .serving(ServedGraph.of(GRAPH))
            .start(0)) {
      var thread = send(server, "x", "/threads", "{}").path("thread_id").asString();
      var runs = "/threads/" + thread + "/runs/wait";
      send(server, "x", runs, "{\"assistant_id\":\"principals\",\"input\":{}}");
      var resume = "{\"assistant_id\":\"principals\",\"command\":{\"resume\":\"yes\"}}";
      assertThat(send(server, "x", runs, resume).path("who").toString()).isEqualTo("[\"nobody\"]");
    }
  }
}
