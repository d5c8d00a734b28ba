package dev.superstep.server.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.json.Json;
import dev.superstep.server.AgentServer;
import dev.superstep.server.security.ApiKeys;
import dev.superstep.server.security.Authorizer;
import dev.superstep.server.security.Authorizer.Decision;
import dev.superstep.service.InMemoryServiceStore;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Threads and runs of one tenant, at which another one tries everything.
@Timeout(60)
@Tag("SV4")
class TenancyTest {
  private static final String ANN = "key-of-ann-123456";
  private static final String BOB = "key-of-bob-123456";
  private static final String ASSISTANT = "8c5c1a4e-3d54-4c86-a1a9-2f2d3f0f4b11";
  private static final Authorizer OWN =
      (who, _) ->
          new Decision.Allowed(
              Optional.of(Json.parse("{\"owner\":\"" + who.id() + "\"}")), Optional.empty());

  private final HttpClient client = HttpClient.newHttpClient();
  private AgentServer server;
  private String thread;
  private String run;

  @BeforeEach
  void start() throws Exception {
    server =
        AgentServer.on(new InMemoryCheckpointer(), InMemoryServiceStore.open())
            .serving(FixtureGraphs.all())
            .authenticator(ApiKeys.parse("ann " + ANN + "; bob " + BOB))
            .authorizer(OWN)
            .start(0);
    var assistant = "{\"graph_id\":\"configured\",\"assistant_id\":\"%s\"}".formatted(ASSISTANT);
    // Assistants are the tenants' own, too.
    json(ANN, "POST /assistants", assistant);
    thread = json(ANN, "POST /threads", "{}").path("thread_id").asString();
    var body = "{\"assistant_id\":\"" + ASSISTANT + "\",\"input\":{}}";
    run = json(ANN, "POST /threads/" + thread + "/runs", body).path("run_id").asString();
    assertThat(send(ANN, "GET " + at("/runs/" + run + "/join"), "").statusCode()).isEqualTo(200);
  }

  @AfterEach
  void close() {
    server.close();
    client.shutdownNow();
  }

  private String at(String rest) {
    return "/threads/" + thread + rest;
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

  private JsonNode json(String key, String line, String body) throws Exception {
    var response = send(key, line, body);
    assertThat(response.statusCode()).as(line + ": " + response.body()).isEqualTo(200);
    return new JsonMapper().readTree(response.body());
  }

  private String checkpoint() throws Exception {
    var state = json(ANN, "GET " + at("/state"), "");
    return state.path("checkpoint").path("checkpoint_id").asString();
  }

  @Test
  void a_copy_and_a_fork_belong_to_the_owner_of_their_thread() throws Exception {
    var copy = json(ANN, "POST " + at("/copy"), "");
    var fork = "{\"checkpoint_id\":\"" + checkpoint() + "\"}";
    var forked = json(ANN, "POST /superstep" + at("/fork"), fork).path("thread").asString();

    for (var made : List.of(copy.path("thread_id").asString(), forked)) {
      var known = json(ANN, "GET /threads/" + made, "");
      assertThat(known.path("metadata").path("owner").asString()).isEqualTo("ann");
      assertThat(known.path("values").path("seen")).hasSize(2);
      assertThat(send(BOB, "GET /threads/" + made, "").statusCode()).isEqualTo(404);
    }
    assertThat(json(BOB, "POST /threads/search", "{}")).isEmpty();
  }

  @Test
  void nobody_else_copies_forks_streams_joins_cancels_edits_or_deletes() throws Exception {
    var checkpoint = "{\"checkpoint_id\":\"" + checkpoint() + "\"}";
    var input = "{\"assistant_id\":\"configured\",\"input\":{}}";
    var asked =
        List.of(
            List.of("POST " + at("/copy"), ""),
            List.of("GET " + at(""), ""),
            List.of("PATCH " + at(""), "{\"metadata\":{\"owner\":\"bob\"}}"),
            List.of("DELETE " + at(""), ""),
            List.of("GET " + at("/state"), ""),
            List.of("POST " + at("/state"), "{\"values\":{\"seen\":[\"bob\"]}}"),
            List.of("POST " + at("/history"), "{}"),
            List.of("GET " + at("/stream"), ""),
            List.of("GET " + at("/runs"), ""),
            List.of("POST " + at("/runs"), input),
            List.of("POST " + at("/runs/stream"), input),
            List.of("POST " + at("/runs/wait"), input),
            List.of("GET " + at("/runs/" + run), ""),
            List.of("GET " + at("/runs/" + run + "/join"), ""),
            List.of("GET " + at("/runs/" + run + "/stream"), ""),
            List.of("POST " + at("/runs/" + run + "/cancel"), ""),
            List.of("DELETE " + at("/runs/" + run), ""),
            List.of("GET /runs/" + run, ""),
            List.of("GET /runs/" + run + "/stream", ""),
            List.of("GET /runs/" + run + "/wait", ""),
            List.of("POST /runs/" + run + "/cancel", ""),
            List.of("DELETE /runs/" + run, ""),
            List.of("GET /superstep" + at("/summary"), ""),
            List.of("GET /superstep" + at("/events"), ""),
            List.of("POST /superstep" + at("/fork"), checkpoint),
            List.of("POST /superstep" + at("/rewind"), checkpoint),
            List.of("POST /superstep" + at("/replay"), "{}"));
    for (var each : asked) {
      var response = send(BOB, each.get(0), each.get(1));
      assertThat(response.statusCode()).as(each.get(0) + ": " + response.body()).isEqualTo(404);
    }
    var cancelled = "{\"thread_id\":\"%s\",\"run_ids\":[\"%s\"]}".formatted(thread, run);
    assertThat(send(BOB, "POST /runs/cancel", cancelled).statusCode()).isBetween(204, 404);

    var known = json(ANN, "GET " + at(""), "");
    assertThat(known.path("metadata").path("owner").asString()).isEqualTo("ann");
    assertThat(known.path("values").path("seen")).hasSize(2);
    assertThat(json(ANN, "GET " + at("/runs/" + run), "").path("status").asString())
        .isEqualTo("success");
  }

  @Test
  void a_fork_takes_no_name_of_another_tenant() throws Exception {
    var empty = json(BOB, "POST /threads", "{}").path("thread_id").asString();
    var fork = "{\"checkpoint_id\":\"%s\",\"as\":\"%s\"}".formatted(checkpoint(), empty);

    assertThat(send(ANN, "POST /superstep" + at("/fork"), fork).statusCode()).isEqualTo(409);

    assertThat(json(BOB, "GET /threads/" + empty, "").path("values")).isEmpty();
    var same = "{\"thread_id\":\"" + empty + "\",\"if_exists\":\"do_nothing\"}";
    assertThat(send(ANN, "POST /threads", same).statusCode()).isNotEqualTo(200);
  }
}
