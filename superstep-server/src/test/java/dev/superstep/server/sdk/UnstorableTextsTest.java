package dev.superstep.server.sdk;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.graph.Graph;
import dev.superstep.node.Update;
import dev.superstep.server.AgentServer;
import dev.superstep.server.graph.ServedGraph;
import dev.superstep.service.ServiceStore;
import dev.superstep.state.Channel;
import dev.superstep.store.jdbc.SqliteServiceStore;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;

/// Texts of requests that no database keeps are refused by the field that has them.
@Timeout(60)
class UnstorableTextsTest {
  private static final Channel<List<String>, String> SAID = Channel.append("said", String.class);

  @TempDir Path folder;

  private static Graph graph() {
    return Graph.named("agent")
        .channels(SAID)
        .node("say", (_, _) -> Update.of(SAID, "hello"))
        .edge(START, "say")
        .edge("say", END)
        .compile();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/assistants        | {\"graph_id\":\"agent\",\"name\":\"a@b\"}          | name",
        "/assistants/search | {\"graph_id\":\"a@\"}                              | graph_id",
        "/threads           | {\"thread_id\":\"t@\"}                             | thread_id",
        "/runs/wait         | {\"assistant_id\":\"agent@\"}                      | assistant_id",
        "/runs/wait         | {\"assistant_id\":\"agent\",\"webhook\":\"h@\"}    | webhook",
        "/runs/crons        | {\"assistant_id\":\"agent\",\"schedule\":\"*@\"}   | schedule"
      })
  void a_text_with_nul_or_half_a_character_is_refused_by_its_field(
      String path, String body, String field) throws Exception {
    for (var bad : List.of("\\u0000", "\\ud83d")) {
      var answer = post(path, body.replace("@", bad));
      assertThat(answer).as(bad).startsWith("422 ").contains("`" + field + "`");
    }
  }

  @Test
  void the_document_of_the_api_names_the_refusals_of_commands() throws Exception {
    try (var documents = SqliteServiceStore.open(folder.resolve("service.db"));
        var server = server(documents);
        var http = HttpClient.newHttpClient()) {
      var address = server.address().resolve("/openapi.json");
      var text = http.send(HttpRequest.newBuilder(address).build(), BodyHandlers.ofString()).body();
      var refusal =
          new JsonMapper()
              .readTree(text)
              .at("/paths/~1threads~1{thread}~1commands/post/responses/default/content")
              .at("/application~1json/schema/$ref");
      assertThat(refusal.asString()).isEqualTo("#/components/schemas/CommandReplyRefusal");
    }
  }

  private static AgentServer server(ServiceStore documents) throws Exception {
    return AgentServer.on(new InMemoryCheckpointer(), documents)
        .serving(ServedGraph.of(graph()))
        .start(0);
  }

  private String post(String path, String body) throws Exception {
    try (var documents = SqliteServiceStore.open(folder.resolve("service.db"));
        var server = server(documents);
        var http = HttpClient.newHttpClient()) {
      var request =
          HttpRequest.newBuilder(server.address().resolve(path))
              .header("content-type", "application/json")
              .POST(BodyPublishers.ofString(body))
              .build();
      var answer = http.send(request, BodyHandlers.ofString());
      return answer.statusCode() + " " + answer.body();
    }
  }
}
