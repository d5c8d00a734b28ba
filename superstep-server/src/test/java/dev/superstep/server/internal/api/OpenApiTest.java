package dev.superstep.server.internal.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.graph.Graph;
import dev.superstep.node.NodeResult;
import dev.superstep.server.AgentServer;
import dev.superstep.server.AgentServerBuilder;
import dev.superstep.server.graph.ServedGraph;
import dev.superstep.server.security.ApiKeys;
import dev.superstep.service.ServiceStore;
import dev.superstep.store.jdbc.SqliteServiceStore;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// The description of the API, as a running server gives it.
@Tag("SV12")
class OpenApiTest {
  private static final String CRONS = "/runs/crons";

  @TempDir Path folder;

  private static ServedGraph graph() {
    return ServedGraph.of(
        Graph.named("nothing")
            .node("rest", (_, _) -> NodeResult.nothing())
            .sequence(Graph.START, "rest", Graph.END)
            .compile());
  }

  private JsonNode document() throws Exception {
    return document(Optional.empty());
  }

  private JsonNode document(Optional<ApiKeys> keys) throws Exception {
    try (var documents = SqliteServiceStore.open(folder.resolve("service.db"));
        var server = server(documents, keys).start(0);
        var client = HttpClient.newHttpClient()) {
      var request = HttpRequest.newBuilder(server.address().resolve("/openapi.json")).build();
      return JsonMapper.shared().readTree(client.send(request, BodyHandlers.ofString()).body());
    }
  }

  private static AgentServerBuilder server(ServiceStore documents, Optional<ApiKeys> keys) {
    var server = AgentServer.on(new InMemoryCheckpointer(), documents).serving(graph());
    keys.ifPresent(server::authenticator);
    return server;
  }

  @Test
  void a_server_that_asks_for_keys_says_how_to_show_one_and_where_none_is_needed()
      throws Exception {
    var asking = document(Optional.of(ApiKeys.parse("ann ann-has-a-long-key")));
    var schemes = asking.path("components").path("securitySchemes");
    assertThat(schemes.path("key").path("name").asString()).isEqualTo("x-api-key");
    assertThat(schemes.path("bearer").path("scheme").asString()).isEqualTo("bearer");
    assertThat(asking.path("security").size()).isEqualTo(2);
    var open = asking.path("paths").path("/openapi.json").path("get");
    assertThat(open.has("security")).isTrue();
    assertThat(open.path("security").isEmpty()).isTrue();
    assertThat(asking.path("paths").path("/threads").path("post").has("security")).isFalse();

    assertThat(document().path("components").has("securitySchemes")).isFalse();
  }

  @Test
  void every_route_of_langgraphs_api_is_described_and_every_description_is_of_route()
      throws Exception {
    var described = new ArrayList<String>();
    var bare = new ArrayList<String>();
    document()
        .path("paths")
        .forEachEntry((path, methods) ->
            methods.forEachEntry((method, operation) -> {
              var name = method.toUpperCase(java.util.Locale.ROOT) + " " + path;
              (operation.has("summary") ? described : bare).add(name);
            }));
    var written = new ArrayList<>(OpenApiResource.operations().keySet());
    // Not every server plans runs.
    if (described.stream().noneMatch(name -> name.contains(CRONS))) {
      written.removeIf(name -> name.contains(CRONS));
    }
    assertThat(described).containsExactlyInAnyOrderElementsOf(written);
    // What only the studio uses may change with it.
    bare.remove("GET /");
    assertThat(bare).allMatch(name -> name.contains(" /superstep/") || name.contains(" /studio"));
    assertThat(described).contains("POST /threads/{thread}/runs/stream", "GET /openapi.json");
  }

  @Test
  void every_reference_leads_to_schema_and_every_schema_is_used() throws Exception {
    var document = document();
    var references = List.copyOf(document.findValuesAsString("$ref"));
    var schemas = document.path("components").path("schemas");
    assertThat(references)
        .allMatch(ref -> schemas.has(ref.replace("#/components/schemas/", "")))
        .hasSizeGreaterThan(90);
    for (var name : schemas.propertyNames()) {
      if (!name.startsWith("Cron")) assertThat(references).contains("#/components/schemas/" + name);
    }
    var operation = document.path("paths").path("/threads/{thread}/runs/{run}").path("get");
    assertThat(Set.copyOf(operation.path("parameters").findValuesAsString("name")))
        .containsExactlyInAnyOrder("thread", "run");
    var refusal = operation.path("responses").path("default").path("content");
    assertThat(refusal.path("application/json").findValuesAsString("$ref"))
        .containsExactly("#/components/schemas/Refusal");
  }
}
