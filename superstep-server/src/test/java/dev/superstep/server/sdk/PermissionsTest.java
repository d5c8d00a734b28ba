package dev.superstep.server.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.json.Json;
import dev.superstep.server.AgentServer;
import dev.superstep.server.AgentServerBuilder;
import dev.superstep.server.graph.RagSources;
import dev.superstep.server.log.AuditLog;
import dev.superstep.server.security.ApiKeys;
import dev.superstep.server.security.Authorizer;
import dev.superstep.service.InMemoryServiceStore;
import dev.superstep.store.InMemoryStore;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Keys with permissions, and clients that see their own things only, at a running server.
@Timeout(60)
@Tag("SV4")
class PermissionsTest {
  private static final String READER = "key-of-the-reader-1";
  private static final String WRITER = "key-of-the-writer-1";
  private static final String OTHER = "key-of-another-one-1";
  private static final ApiKeys KEYS =
      ApiKeys.parse("reader %s read; writer %s write; other %s".formatted(READER, WRITER, OTHER));
  private static final String RUN = "{\"assistant_id\":\"configured\",\"input\":{}}";
  private static final String TEXT = "{\"text\":\"new\",\"digest\":\"1\"}";

  private final HttpClient client = HttpClient.newHttpClient();
  private final List<AuditLog.Entry> audit = new CopyOnWriteArrayList<>();
  private AgentServer server;

  /// A text that anybody may change whom the server lets.
  private static final class Texts implements RagSources {
    @Override
    public List<String> graphs() {
      return List.of("configured");
    }

    @Override
    public boolean isEditable() {
      return true;
    }

    @Override
    public Optional<RagText> read(String graph) {
      return Optional.of(new RagText("configured.rag", "old", "1"));
    }

    @Override
    public Checked check(String graph, String text) {
      return new Checked(Json.parse("{}"), Optional.empty());
    }

    @Override
    public Optional<RagText> write(String graph, String text, String digest) {
      return Optional.of(new RagText("configured.rag", text, "2"));
    }
  }

  private AgentServerBuilder builder() {
    return AgentServer.on(new InMemoryCheckpointer(), InMemoryServiceStore.open())
        .memory(InMemoryStore.open())
        .serving(FixtureGraphs.all())
        .texts(new Texts())
        .audit(audit::add)
        .authenticator(KEYS);
  }

  @AfterEach
  void close() {
    server.close();
    client.shutdownNow();
  }

  private HttpResponse<String> send(String key, String line, String body) throws Exception {
    int blank = line.indexOf(' ');
    var publisher = body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body);
    var request =
        HttpRequest.newBuilder(server.address().resolve(line.substring(blank + 1)))
            .header("x-api-key", key)
            .header("Content-Type", "application/json")
            .method(line.substring(0, blank), publisher);
    return client.send(request.build(), BodyHandlers.ofString());
  }

  private int status(String key, String line, String body) throws Exception {
    return send(key, line, body).statusCode();
  }

  private JsonNode json(String key, String line, String body) throws Exception {
    var response = send(key, line, body);
    assertThat(response.statusCode()).as(line + ": " + response.body()).isEqualTo(200);
    return new JsonMapper().readTree(response.body());
  }

  @Test
  void a_key_that_may_read_finds_reads_and_joins_and_changes_nothing() throws Exception {
    server = builder().start(0);
    json(WRITER, "POST /threads", "{\"thread_id\":\"t\"}");
    json(WRITER, "POST /threads/t/runs/wait", RUN);
    var run = json(READER, "GET /threads/t/runs", "").get(0).path("run_id").asString();

    assertThat(json(READER, "POST /threads/search", "{}")).hasSize(1);
    json(READER, "GET /threads/t/state", "");
    json(READER, "POST /assistants/search", "{}");
    json(READER, "GET /superstep/threads/t/summary", "");
    json(READER, "GET /superstep/rag/configured", "");
    var join = "GET /threads/t/runs/" + run + "/join";
    assertThat(status(READER, join, "")).isEqualTo(200);
    assertThat(status(READER, join.replace("/join", "/stream"), "")).isEqualTo(200);

    // Whoever cancels by leaving changes a run.
    assertThat(status(READER, join + "?cancel_on_disconnect=true", "")).isEqualTo(403);
    assertThat(status(WRITER, join + "?cancel_on_disconnect=true", "")).isEqualTo(200);
    var changes =
        List.of(
            List.of("POST /threads", "{}"),
            List.of("POST /runs/wait", RUN),
            List.of("POST /threads/t/runs", RUN),
            List.of("POST /threads/t/state", "{\"values\":{\"seen\":[\"x\"]}}"),
            List.of("PATCH /threads/t", "{\"metadata\":{\"a\":1}}"),
            List.of("POST /threads/t/copy", ""),
            List.of("POST /assistants", "{\"graph_id\":\"configured\"}"),
            List.of("PUT /store/items", "{\"namespace\":[\"n\"],\"key\":\"k\",\"value\":{}}"),
            List.of("PUT /superstep/rag/configured", TEXT),
            List.of("DELETE /threads/t", ""));
    for (var change : changes) {
      var answer = send(READER, change.getFirst(), change.getLast());
      assertThat(answer.statusCode()).as(change.getFirst()).isEqualTo(403);
      assertThat(answer.body()).contains("needs `write`");
    }
    assertThat(status(WRITER, "DELETE /threads/t", "")).isEqualTo(204);
  }

  @Test
  @Tag("SV7")
  void the_audit_log_tells_of_texts_read_and_changed_and_of_who_does_not_show_a_key()
      throws Exception {
    server = builder().start(0);
    json(OTHER, "GET /superstep/rag/configured", "");
    json(OTHER, "PUT /superstep/rag/configured", TEXT);
    assertThat(status(READER, "PUT /superstep/rag/configured", TEXT)).isEqualTo(403);
    assertThat(status("a-key-of-nobody-here", "POST /threads", "{}")).isEqualTo(401);

    assertThat(audit.stream().map(each -> each.who() + " " + each.what() + " " + each.isAllowed()))
        .containsExactly(
            "other assistants:read true",
            "other assistants:update true",
            "reader assistants:update false",
            " authenticate false");
    assertThat(audit.toString()).doesNotContain("key-of");
  }

  @Test
  void clients_that_see_their_own_things_only_neither_find_nor_change_those_of_others()
      throws Exception {
    server = builder().authorizer(Authorizer.ownThreads()).start(0);
    json(WRITER, "POST /threads", "{\"thread_id\":\"t\"}");
    json(WRITER, "POST /threads/t/runs/wait", RUN);
    var item = "{\"namespace\":[\"n\"],\"key\":\"k\",\"value\":{\"a\":1}}";
    assertThat(status(WRITER, "PUT /store/items", item)).isEqualTo(204);

    assertThat(json(WRITER, "POST /threads/search", "{}")).hasSize(1);
    assertThat(json(OTHER, "POST /threads/search", "{}")).isEmpty();
    assertThat(status(OTHER, "DELETE /threads/t", "")).isEqualTo(404);
    assertThat(status(OTHER, "POST /threads/t/runs/wait", RUN)).isEqualTo(404);
    var found = json(WRITER, "POST /store/items/search", "{\"namespace_prefix\":[]}");
    assertThat(found.path("items")).hasSize(1);
    found = json(OTHER, "POST /store/items/search", "{\"namespace_prefix\":[]}");
    assertThat(found.path("items")).isEmpty();
    // The text of a graph is for all.
    assertThat(status(OTHER, "PUT /superstep/rag/configured", TEXT)).isEqualTo(403);
    assertThat(status(OTHER, "GET /superstep/rag/configured", "")).isEqualTo(200);
  }
}
