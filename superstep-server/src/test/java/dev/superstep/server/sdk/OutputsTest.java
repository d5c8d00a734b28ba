package dev.superstep.server.sdk;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.graph.Graph;
import dev.superstep.node.Question;
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
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// A graph whose runs give back some of its channels, as with an output schema of LangGraph.
@Timeout(60)
@Tag("H4.3")
@Tag("H4.4")
class OutputsTest {
  private static final JsonMapper JSON = new JsonMapper();
  private static final Channel<String, String> TOPIC = Channel.latest("topic", String.class);
  private static final Channel<List<String>, String> NOTES = Channel.append("notes", String.class);
  private static final Channel<String, String> ANSWER = Channel.latest("answer", String.class);
  private static final Question<String, String> SURE =
      Question.of("sure", String.class, String.class);
  private static final String RUN = "{\"assistant_id\":\"desk\",\"input\":{\"topic\":\"tea\"}";

  @TempDir Path folder;
  private ServiceStore documents;
  private AgentServer server;
  private String thread;
  private final HttpClient http = HttpClient.newHttpClient();

  @BeforeEach
  void start() throws Exception {
    documents = SqliteServiceStore.open(folder.resolve("service.db"));
    var graph =
        Graph.named("desk")
            .channels(TOPIC, NOTES, ANSWER)
            .questions(SURE)
            .node("look", (_, _) -> Update.of(NOTES, "looked"))
            .node("say", (state, _) -> Update.of(ANSWER, state.get(TOPIC) + "!"))
            .node("ask", (_, context) -> Update.of(NOTES, context.interrupt(SURE, "Sure?")))
            .sequence(START, "look", "say", "ask", END)
            .compile();
    server =
        AgentServer.on(new InMemoryCheckpointer(), documents)
            .serving(ServedGraph.of(graph).giving(List.of("answer")))
            .start(0);
    thread = JSON.readTree(send("POST", "/threads", "{}")).path("thread_id").asString();
  }

  @AfterEach
  void stop() {
    http.close();
    server.close();
    documents.close();
  }

  private String send(String method, String path, String body) throws Exception {
    var request =
        HttpRequest.newBuilder(server.address().resolve(path))
            .method(
                method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
            .build();
    var answer = http.send(request, BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return answer.body();
  }

  private JsonNode run(String kind, String body) throws Exception {
    return JSON.readTree(send("POST", "/threads/" + thread + "/runs" + kind, body));
  }

  @Test
  void who_waits_for_a_run_or_joins_it_gets_its_outputs_and_what_it_asks() throws Exception {
    var values = run("/wait", RUN + "}");

    assertThat(List.copyOf(values.propertyNames())).containsExactly("answer", "__interrupt__");
    assertThat(values.path("answer").asString()).isEqualTo("tea!");
    var rest =
        run("", "{\"assistant_id\":\"desk\",\"command\":{\"resume\":\"yes\"}}").path("run_id");
    var path = "/threads/" + thread + "/runs/" + rest.asString() + "/join";
    assertThat(send("GET", path, "")).isEqualToIgnoringWhitespace("{\"answer\":\"tea!\"}");
    assertThat(send("POST", "/runs/wait", RUN + "}"))
        .contains("\"answer\"")
        .doesNotContain("topic");
  }

  @Test
  void the_values_of_a_stream_are_its_outputs_whenever_they_change() throws Exception {
    var modes = ",\"stream_mode\":[\"values\",\"updates\"]}";
    var text = send("POST", "/threads/" + thread + "/runs/stream", RUN + modes);

    assertThat(data(text, "values"))
        .containsExactly(
            "{}",
            "{\"answer\":\"tea!\"}",
            "{\"answer\":\"tea!\",\"__interrupt__\":" + interrupts(text) + "}");
    assertThat(data(text, "updates"))
        .startsWith("{\"look\":null}", "{\"say\":{\"answer\":\"tea!\"}}");
  }

  private static String interrupts(String text) {
    var last = JSON.readTree(data(text, "updates").getLast());
    return last.path("__interrupt__").toString();
  }

  private static List<String> data(String text, String event) {
    var all = new ArrayList<String>();
    var now = "";
    for (var line : text.lines().toList()) {
      if (line.startsWith("event: ")) now = line.substring("event: ".length());
      if (line.startsWith("data: ") && now.equals(event)) all.add(line.substring(6));
    }
    return all;
  }

  @Test
  void the_state_of_the_thread_is_whole() throws Exception {
    run("/wait", RUN + "}");

    var state = JSON.readTree(send("GET", "/threads/" + thread + "/state", ""));
    assertThat(List.copyOf(state.path("values").propertyNames()))
        .containsExactlyInAnyOrder("topic", "notes", "answer");
    var values = JSON.readTree(send("GET", "/threads/" + thread, "")).path("values");
    assertThat(values.path("notes").size()).isEqualTo(1);
  }

  @Test
  void the_schemas_say_which_they_are() throws Exception {
    var schemas = JSON.readTree(send("GET", "/assistants/desk/schemas", ""));

    assertThat(List.copyOf(schemas.path("output_schema").path("properties").propertyNames()))
        .containsExactly("answer");
    assertThat(List.copyOf(schemas.path("state_schema").path("properties").propertyNames()))
        .containsExactly("topic", "notes", "answer");
  }
}
