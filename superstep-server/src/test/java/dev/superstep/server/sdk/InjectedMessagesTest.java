package dev.superstep.server.sdk;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.graph.Graph;
import dev.superstep.message.Message;
import dev.superstep.message.Messages;
import dev.superstep.node.Update;
import dev.superstep.server.AgentServer;
import dev.superstep.server.graph.ServedGraph;
import dev.superstep.state.Channel;
import dev.superstep.store.jdbc.SqliteServiceStore;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// `input.inject` of the event-streaming protocol: messages for a run at work.
@Timeout(60)
@Tag("H4.7")
class InjectedMessagesTest {
  private static final JsonMapper JSON = new JsonMapper();
  private static final Channel<List<Message>, Message> MESSAGES = Messages.channel("messages");

  @TempDir Path folder;
  private final HttpClient http = HttpClient.newHttpClient();
  private final Semaphore begun = new Semaphore(0);
  private final Semaphore mayEnd = new Semaphore(0);
  private final String thread = UUID.randomUUID().toString();

  private JsonNode send(AgentServer server, String method, String path, String body)
      throws Exception {
    var request =
        HttpRequest.newBuilder(server.address().resolve("/threads/" + thread + path))
            .method(
                method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
            .build();
    return JSON.readTree(http.send(request, BodyHandlers.ofString()).body());
  }

  private JsonNode command(AgentServer server, String method, String params) throws Exception {
    var body = "{\"id\":1,\"method\":\"" + method + "\",\"params\":" + params + "}";
    var reply = send(server, "POST", "/commands", body);
    assertThat(reply.path("type").asString()).as(reply.toString()).isEqualTo("success");
    return reply.path("result");
  }

  private static String message(String role, String text) {
    return "{\"namespace\":[],\"message\":{\"role\":\"%s\",\"content\":\"%s\"}}"
        .formatted(role, text);
  }

  @Test
  void a_message_for_the_run_at_work_is_the_input_of_the_one_after_it() throws Exception {
    var talk =
        Graph.named("talk")
            .channels(MESSAGES)
            .node(
                "say",
                (state, _) -> {
                  begun.release();
                  mayEnd.acquire();
                  var last = state.get(MESSAGES).getLast().text();
                  return Update.of(MESSAGES, Message.assistant("heard " + last));
                })
            .sequence(START, "say", END)
            .compile();
    try (var documents = SqliteServiceStore.open(folder.resolve("documents.db"));
        var server =
            AgentServer.on(new InMemoryCheckpointer(), documents)
                .serving(ServedGraph.of(talk))
                .start(0)) {
      var input = "{\"assistant_id\":\"talk\",\"input\":{\"messages\":\"one\"}}";
      var first = command(server, "run.start", input).path("run_id").asString();
      begun.acquire();

      var second = command(server, "input.inject", message("user", "two")).path("run_id");
      var third = command(server, "input.inject", message("system", "three")).path("run_id");
      // The run at work sees nothing of them.
      mayEnd.release(3);

      for (var run : List.of(first, second.asString(), third.asString())) {
        send(server, "GET", "/runs/" + run + "/join", "");
      }
      var said = send(server, "GET", "/state", "").path("values").path("messages");
      assertThat(said.valueStream().map(each -> each.path("content").asString()))
          .containsExactly("one", "heard one", "two", "heard two", "three", "heard three");
      assertThat(said.valueStream().map(each -> each.path("type").asString()))
          .containsExactly("human", "ai", "human", "ai", "system", "ai");
    }
  }
}
