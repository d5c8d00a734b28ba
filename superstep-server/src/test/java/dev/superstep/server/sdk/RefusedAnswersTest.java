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
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Answers that do not fit their questions: nothing runs, and the thread goes on asking.
@Timeout(60)
@Tag("H4.3")
@Tag("H4.7")
class RefusedAnswersTest {
  private static final JsonMapper JSON = new JsonMapper();
  private static final Channel<List<String>, String> SAID = Channel.append("said", String.class);
  private static final Question<String, Integer> PERCENT =
      Question.of("percent", String.class, Integer.class)
          .checkedBy(p -> p <= 30 ? Optional.empty() : Optional.of("at most 30 percent"));
  private static final Question<String, Boolean> SURE =
      Question.of("sure", String.class, Boolean.class);

  @TempDir Path folder;
  private ServiceStore documents;
  private AgentServer server;
  private final HttpClient http = HttpClient.newHttpClient();
  private String thread;

  @BeforeEach
  void ask() throws Exception {
    documents = SqliteServiceStore.open(folder.resolve("service.db"));
    server =
        AgentServer.on(new InMemoryCheckpointer(), documents)
            .serving(ServedGraph.of(asking()))
            .start(0);
    thread = json(send("POST", "/threads", "{}")).path("thread_id").asString();
    run("/wait", "\"input\":{}");
    assertThat(questions()).containsExactlyInAnyOrder("How much?", "Are you sure?");
  }

  @AfterEach
  void stop() {
    http.close();
    server.close();
    documents.close();
  }

  private static Graph asking() {
    return Graph.named("asking")
        .channels(SAID)
        .questions(PERCENT, SURE)
        .node("much", (_, at) -> Update.of(SAID, "" + at.interrupt(PERCENT, "How much?")))
        .node("sure", (_, at) -> Update.of(SAID, "" + at.interrupt(SURE, "Are you sure?")))
        .edge(START, "much")
        .edge(START, "sure")
        .edge("much", END)
        .edge("sure", END)
        .compile();
  }

  private HttpResponse<String> send(String method, String path, String body) throws Exception {
    var request =
        HttpRequest.newBuilder(server.address().resolve(path))
            .method(
                method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
            .build();
    return http.send(request, BodyHandlers.ofString());
  }

  private static JsonNode json(HttpResponse<String> answer) {
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return JSON.readTree(answer.body());
  }

  private HttpResponse<String> run(String kind, String fields) throws Exception {
    var body = "{\"assistant_id\":\"asking\"," + fields + "}";
    return send("POST", "/threads/" + thread + "/runs" + kind, body);
  }

  private HttpResponse<String> resume(String kind, String answers) throws Exception {
    return run(kind, "\"command\":{\"resume\":" + answers + "}");
  }

  private List<String> questions() throws Exception {
    var state = json(send("GET", "/threads/" + thread + "/state", ""));
    return state.path("interrupts").valueStream().map(q -> q.path("value").asString()).toList();
  }

  private String id(String question) throws Exception {
    var state = json(send("GET", "/threads/" + thread + "/state", ""));
    return state
        .path("interrupts")
        .valueStream()
        .filter(q -> q.path("value").asString().equals(question))
        .map(q -> q.path("id").asString())
        .findFirst()
        .orElseThrow();
  }

  private String byId(String percent, String sure) throws Exception {
    return "{\"%s\":%s,\"%s\":%s}".formatted(id("How much?"), percent, id("Are you sure?"), sure);
  }

  private void asksAsBefore() throws Exception {
    assertThat(questions()).containsExactlyInAnyOrder("How much?", "Are you sure?");
    var now = json(send("GET", "/threads/" + thread, ""));
    assertThat(now.path("status").asString()).isEqualTo("interrupted");
    assertThat(now.path("interrupts").size()).isEqualTo(2);
    assertThat(json(send("GET", "/threads/" + thread + "/runs", "")).size()).isEqualTo(1);
  }

  @Test
  void an_answer_of_the_wrong_shape_is_refused_before_anything_runs() throws Exception {
    for (var kind : List.of("", "/wait", "/stream")) {
      var refused = resume(kind, byId("\"much\"", "true"));

      assertThat(refused.statusCode()).as(kind).isEqualTo(422);
      assertThat(JSON.readTree(refused.body()).path("detail").asString())
          .contains(id("How much?"))
          .doesNotContain(id("Are you sure?"))
          .contains("None of the 2 answers was taken");
      asksAsBefore();
    }
  }

  @Test
  void an_answer_against_the_rule_of_its_question_is_refused_with_the_rule() throws Exception {
    var refused = resume("/wait", byId("31", "true"));

    assertThat(refused.statusCode()).isEqualTo(422);
    assertThat(refused.body()).contains("does not fit: at most 30 percent");
    asksAsBefore();
  }

  @Test
  void all_answers_that_do_not_fit_are_named_at_once() throws Exception {
    var refused = resume("/wait", byId("31", "\"perhaps\""));

    assertThat(refused.statusCode()).isEqualTo(422);
    assertThat(refused.body()).contains(id("How much?"), id("Are you sure?"));
    asksAsBefore();
  }

  @Test
  void an_answer_to_one_of_several_must_say_which() throws Exception {
    var refused = resume("/wait", "20");

    assertThat(refused.statusCode()).isEqualTo(422);
    assertThat(refused.body()).contains("2 are open", id("How much?"), id("Are you sure?"));
    asksAsBefore();
  }

  @Test
  void the_event_protocol_refuses_them_too() throws Exception {
    var responses =
        "[{\"interrupt_id\":\"%s\",\"response\":31},{\"interrupt_id\":\"%s\",\"response\":true}]"
            .formatted(id("How much?"), id("Are you sure?"));
    var command =
        "{\"id\":1,\"method\":\"input.respond\",\"params\":{\"namespace\":[],\"responses\":"
            + responses
            + "}}";
    var reply = JSON.readTree(send("POST", "/threads/" + thread + "/commands", command).body());

    assertThat(reply.path("type").asString()).isEqualTo("error");
    assertThat(reply.path("error").asString()).isEqualTo("invalid_argument");
    assertThat(reply.path("message").asString()).contains("at most 30 percent");
    asksAsBefore();
  }

  @Test
  void better_answers_are_taken_afterwards() throws Exception {
    assertThat(resume("/wait", byId("31", "true")).statusCode()).isEqualTo(422);

    var values = json(resume("/wait", byId("30", "true")));

    assertThat(values.path("said").toString()).contains("30", "true");
    var now = json(send("GET", "/threads/" + thread, ""));
    assertThat(now.path("status").asString()).isEqualTo("idle");
  }

  @Test
  void answers_that_an_earlier_run_of_the_queue_has_made_void_leave_the_thread_asking()
      throws Exception {
    // Nobody can tell before whether the questions are asked again: the node is begun anew.
    var late =
        run("/wait", "\"command\":{\"resume\":{\"gone\":1,\"other\":2},\"goto\":[\"much\"]}");

    assertThat(late.body()).contains("__error__");
    var now = json(send("GET", "/threads/" + thread, ""));
    assertThat(now.path("status").asString()).isEqualTo("interrupted");
    assertThat(now.path("interrupts").isEmpty()).isFalse();
  }
}
