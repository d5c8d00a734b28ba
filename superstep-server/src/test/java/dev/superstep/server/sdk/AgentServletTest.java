package dev.superstep.server.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.server.AgentServer;
import dev.superstep.server.AgentServerBuilder;
import dev.superstep.server.log.RequestLog;
import dev.superstep.server.log.RequestLog.Ending;
import dev.superstep.server.options.HttpLimits;
import dev.superstep.server.options.ServerOptions;
import dev.superstep.server.security.Principal;
import dev.superstep.service.InMemoryServiceStore;
import dev.superstep.store.InMemoryStore;
import java.net.Socket;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// A server of agents as a servlet, in a container of Jetty.
@Tag("SV16")
@Timeout(120)
class AgentServletTest {
  private static final JsonMapper JSON = JsonMapper.shared();
  private static final ServerOptions OPEN = ServerOptions.defaults().withOpen(true);
  private static final String RUN =
      """
      {"assistant_id":"counting","input":{},"stream_mode":["values"],"stream_resumable":true}
      """;

  private final BlockingQueue<RequestLog.Served> served = new LinkedBlockingQueue<>();
  private final HttpClient client = HttpClient.newHttpClient();

  private AgentServerBuilder agents(ServerOptions options) {
    return AgentServer.on(new InMemoryCheckpointer(), InMemoryServiceStore.open())
        .options(options)
        .requestLog(served::add)
        .memory(InMemoryStore.open())
        .serving(FixtureGraphs.all());
  }

  private HttpResponse<String> get(ServletContainer at, String path, String... headers)
      throws Exception {
    var request = HttpRequest.newBuilder(at.at(path));
    if (headers.length > 0) request.headers(headers);
    return client.send(request.build(), BodyHandlers.ofString());
  }

  private HttpResponse<String> post(ServletContainer at, String path, String body)
      throws Exception {
    var request = HttpRequest.newBuilder(at.at(path)).POST(BodyPublishers.ofString(body));
    return client.send(request.build(), BodyHandlers.ofString());
  }

  private String thread(ServletContainer at) throws Exception {
    return json(post(at, "/threads", "{}")).path("thread_id").asString();
  }

  private static JsonNode json(HttpResponse<String> reply) {
    assertThat(reply.statusCode()).as(reply.body()).isEqualTo(200);
    return JSON.readTree(reply.body());
  }

  @Test
  void runs_are_streamed_and_awaited_below_the_path_of_the_servlet() throws Exception {
    try (var container = ServletContainer.start(agents(OPEN))) {
      var thread = thread(container);
      var streamed = post(container, "/threads/" + thread + "/runs/stream", RUN);
      assertThat(streamed.headers().firstValue("Content-Type")).contains("text/event-stream");
      assertThat(streamed.headers().firstValue("Location").orElseThrow())
          .startsWith("/threads/" + thread + "/runs/");
      assertThat(streamed.body()).startsWith("id: 0\nevent: metadata\n").contains("event: values");
      var awaited = json(post(container, "/threads/" + thread + "/runs/wait", RUN));
      assertThat(awaited.path("seen").size()).isPositive();
    }
  }

  @Test
  void a_container_without_asynchronous_requests_serves_the_same() throws Exception {
    try (var container = ServletContainer.startSynchronous(agents(OPEN))) {
      var thread = thread(container);
      var streamed = post(container, "/threads/" + thread + "/runs/stream", RUN);
      assertThat(streamed.body()).contains("event: values");
    }
  }

  @Test
  void a_stream_goes_on_after_the_last_event_that_the_client_has() throws Exception {
    try (var container = ServletContainer.start(agents(OPEN))) {
      var thread = thread(container);
      var whole = post(container, "/threads/" + thread + "/runs/stream", RUN);
      var place = whole.headers().firstValue("Location").orElseThrow();
      var rest = get(container, place, "Last-Event-ID", "2");
      assertThat(rest.body()).startsWith("id: 3\n");
      assertThat(whole.body()).endsWith(rest.body());
    }
  }

  @Test
  void a_client_that_leaves_is_noticed_at_a_heartbeat() throws Exception {
    var quick = HttpLimits.defaults().withTimes(Duration.ofMillis(50), Duration.ofSeconds(30));
    try (var container = ServletContainer.start(agents(OPEN.withHttp(quick)))) {
      var thread = thread(container);
      assertThat(next().route()).isEqualTo("/threads");
      var body =
          """
          {"assistant_id":"gated","input":{"gate":"closed"},"on_disconnect":"cancel"}
          """;
      try (var socket = new Socket("127.0.0.1", container.port())) {
        var request =
            "POST /app/agents/threads/%s/runs/stream HTTP/1.1\r\nHost: a\r\nContent-Length: %d\r\n\r\n%s"
                .formatted(thread, body.length(), body);
        socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        assertThat(socket.getInputStream().read()).isEqualTo('H');
      }
      assertThat(next().ending()).isEqualTo(Ending.ABANDONED);
      var runs = json(get(container, "/threads/" + thread + "/runs"));
      var run = runs.get(0).path("run_id").asString();
      var _ = get(container, "/threads/" + thread + "/runs/" + run + "/join");
      var ended = json(get(container, "/threads/" + thread + "/runs/" + run));
      assertThat(ended.path("status").asString()).isEqualTo("interrupted");
    }
  }

  private RequestLog.Served next() throws InterruptedException {
    var next = served.poll(30, TimeUnit.SECONDS);
    if (next == null) throw new AssertionError("no request has ended");
    return next;
  }

  @Test
  void limits_and_refusals_are_those_of_the_server() throws Exception {
    var small = OPEN.withHttp(HttpLimits.defaults().withBody(100, 10));
    try (var container = ServletContainer.start(agents(small))) {
      assertThat(post(container, "/threads", "{\"a\":\"" + "b".repeat(100) + "\"}").statusCode())
          .isEqualTo(413);
      assertThat(get(container, "/nothing").statusCode()).isEqualTo(404);
      assertThat(get(container, "/threads").statusCode()).isEqualTo(405);
      assertThat(get(container, "/ok", "Origin", "https://evil.example").statusCode())
          .isEqualTo(403);
      assertThat(get(container, "/ok").headers().firstValue("X-Content-Type-Options"))
          .contains("nosniff");
    }
  }

  @Test
  void who_shows_no_key_is_refused() throws Exception {
    var locked =
        agents(ServerOptions.defaults())
            .authenticator(credentials ->
                credentials.header("x-api-key").isPresent()
                    ? Optional.of(new Principal("ann", Set.of(), Map.of()))
                    : Optional.empty());
    try (var container = ServletContainer.start(locked)) {
      assertThat(get(container, "/threads/none").statusCode()).isEqualTo(401);
      assertThat(get(container, "/threads/none", "x-api-key", "any").statusCode()).isEqualTo(404);
      assertThat(get(container, "/ok").statusCode()).isEqualTo(200);
    }
  }

  @Test
  void it_does_not_start_open_to_everybody_unless_that_is_said() {
    assertThatThrownBy(() -> ServletContainer.start(agents(ServerOptions.defaults())))
        .hasMessageContaining("Without an authenticator, everybody who reaches the container");
  }

  @Test
  void the_studio_works_below_the_path() throws Exception {
    try (var container = ServletContainer.start(agents(OPEN))) {
      var moved = get(container, "/studio");
      assertThat(moved.statusCode()).isEqualTo(307);
      var to =
          container.at("/studio").resolve(moved.headers().firstValue("Location").orElseThrow());
      assertThat(to.getPath()).isEqualTo("/app/agents/studio/");
      var page = get(container, "/studio/");
      assertThat(page.statusCode()).as(page.body()).isEqualTo(200);
      assertThat(page.body()).doesNotContain("src=\"/").doesNotContain("href=\"/");
    }
  }

  @Test
  void a_stream_ends_when_the_container_destroys_the_servlet() throws Exception {
    var container = ServletContainer.start(agents(OPEN.withDrain(Duration.ZERO)));
    try (container) {
      var thread = thread(container);
      assertThat(next().route()).isEqualTo("/threads");
      var request =
          HttpRequest.newBuilder(container.at("/threads/" + thread + "/runs/stream"))
              .POST(
                  BodyPublishers.ofString(
                      "{\"assistant_id\":\"gated\",\"input\":{\"gate\":\"closed\"}}"))
              .build();
      var reply = client.send(request, BodyHandlers.ofInputStream());
      assertThat(reply.body().read()).isEqualTo('i');
    }
    assertThat(next().route()).isEqualTo("/threads/{thread}/runs/stream");
  }
}
