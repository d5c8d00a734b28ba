package dev.superstep.server.sdk;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.graph.Graph;
import dev.superstep.node.Update;
import dev.superstep.server.AgentServer;
import dev.superstep.server.graph.ServedGraph;
import dev.superstep.server.log.ServerListener;
import dev.superstep.server.options.HttpLimits;
import dev.superstep.server.options.ServerOptions;
import dev.superstep.service.ServiceStore;
import dev.superstep.state.Channel;
import dev.superstep.store.jdbc.SqliteServiceStore;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Readers of the events of a thread that take nothing for a time: they are let go, hold up nobody,
/// and go on where they were.
@Timeout(120)
@Tag("H4.7")
@Tag("SV15")
class SlowEventReadersTest {
  private static final JsonMapper JSON = new JsonMapper();
  private static final Channel<Integer, Integer> STEP = Channel.latest("step", Integer.class);
  private static final Channel<String, String> TEXT = Channel.latest("text", String.class);
  private static final int STEPS = 24;
  private static final int LONG = 400_000;
  private static final Duration STALL = Duration.ofSeconds(1);

  @TempDir Path folder;
  private final HttpClient http = HttpClient.newHttpClient();
  private final Streams streams = new Streams(new AtomicInteger(), new Semaphore(0));
  private final String thread = UUID.randomUUID().toString();
  private ServiceStore documents;
  private AgentServer server;

  /// Counts the streams that are open, and those that were closed.
  private record Streams(AtomicInteger open, Semaphore closed) {
    ServerListener listener() {
      var none = ServerListener.none();
      return (ServerListener)
          Proxy.newProxyInstance(
              ServerListener.class.getClassLoader(),
              new Class<?>[] {ServerListener.class},
              (_, method, arguments) -> {
                if (method.getName().equals("streams")) changed((int) arguments[0]);
                return method.invoke(none, arguments);
              });
    }

    private void changed(int change) {
      open.addAndGet(change);
      if (change < 0) closed.release();
    }
  }

  @BeforeEach
  void start() throws Exception {
    documents = SqliteServiceStore.open(folder.resolve("documents.db"));
    var wide =
        Graph.named("wide")
            .channels(STEP, TEXT)
            .node(
                "write",
                (state, _) ->
                    Update.of(STEP, state.get(STEP) + 1)
                        .and(Update.of(TEXT, state.get(STEP) + "x".repeat(LONG))))
            .edge(START, "write")
            .route("write", state -> state.get(STEP) < STEPS ? "write" : END, "write", END)
            .stepLimit(STEPS + 1)
            .compile();
    var limits = HttpLimits.defaults().withTimes(Duration.ofMillis(200), STALL);
    server =
        AgentServer.on(new InMemoryCheckpointer(), documents)
            .options(ServerOptions.defaults().withHttp(limits))
            .listener(streams.listener())
            .serving(ServedGraph.of(wide))
            .start(0);
  }

  @AfterEach
  void stop() {
    http.close();
    server.close();
    documents.close();
  }

  private String path(String rest) {
    return "/threads/" + thread + "/" + rest;
  }

  private static String filter(String since) {
    return "{\"channels\":[\"lifecycle\",\"values\"]" + since + "}";
  }

  private void begin() throws Exception {
    var body =
        "{\"id\":1,\"method\":\"run.start\",\"params\":"
            + "{\"assistant_id\":\"wide\",\"input\":{\"step\":0}}}";
    var request =
        HttpRequest.newBuilder(server.address().resolve(path("commands")))
            .POST(BodyPublishers.ofString(body))
            .build();
    assertThat(http.send(request, BodyHandlers.ofString()).body()).contains("success");
  }

  /// Reads the events from a place to the end of the run.
  private List<String> quick(String since) throws Exception {
    var request =
        HttpRequest.newBuilder(server.address().resolve(path("stream/events")))
            .POST(BodyPublishers.ofString(filter(since)))
            .build();
    var response = http.send(request, BodyHandlers.ofInputStream());
    try (var lines =
        new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8))) {
      return toTheEnd(lines);
    }
  }

  private static List<String> toTheEnd(BufferedReader lines) throws IOException {
    var all = new ArrayList<String>();
    for (var line = lines.readLine(); line != null; line = lines.readLine()) {
      if (!line.startsWith("data: ")) continue;
      all.add(line.substring("data: ".length()));
      if (all.getLast().contains("\"completed\"")) return all;
    }
    return all;
  }

  private static String seq(String event) {
    return JSON.readTree(event).path("seq").toString();
  }

  @Test
  void a_slow_reader_of_server_sent_events_is_let_go_and_goes_on_by_its_last_place()
      throws Exception {
    var body = filter("");
    try (var slow = SlowSocket.to(server.address())) {
      slow.send(
          """
          POST %s HTTP/1.1\r
          Host: localhost\r
          Content-Length: %d\r
          \r
          %s\
          """
              .formatted(path("stream/events"), body.length(), body));
      assertThat(slow.firstByte()).isEqualTo('H');
      begin();

      var all = quick(",\"since\":0");

      assertThat(all.stream().filter(event -> event.contains("\"values\""))).hasSize(STEPS + 1);
      // That of the quick one, and that of the slow one.
      streams.closed().acquire(2);
      assertThat(streams.open()).hasValue(0);
      var had = slow.events();
      assertThat(had.size()).isLessThan(all.size());
      assertThat(had).isEqualTo(all.subList(0, had.size()));
      var since = had.isEmpty() ? "0" : seq(had.getLast());
      assertThat(quick(",\"since\":" + since)).isEqualTo(all.subList(had.size(), all.size()));
    }
  }

  @Test
  void a_slow_reader_of_a_websocket_is_let_go_and_goes_on_by_its_last_place() throws Exception {
    try (var slow = SlowSocket.to(server.address())) {
      slow.send(
          """
          GET %s HTTP/1.1\r
          Host: localhost\r
          Upgrade: websocket\r
          Connection: Upgrade\r
          Sec-WebSocket-Version: 13\r
          Sec-WebSocket-Key: AQIDBAUGBwgJCgsMDQ4PEA==\r
          \r
          """
              .formatted(path("stream/events")));
      assertThat(slow.firstByte()).isEqualTo('H');
      slow.sendText(
          "{\"id\":7,\"method\":\"subscription.subscribe\",\"params\":" + filter("") + "}");
      begin();

      var all = quick(",\"since\":0");

      assertThat(all.stream().filter(event -> event.contains("\"values\""))).hasSize(STEPS + 1);
      streams.closed().acquire(2);
      assertThat(streams.open()).hasValue(0);
      var had = slow.messages();
      assertThat(had.getFirst()).contains("subscription_id");
      had.removeFirst();
      assertThat(had.size()).isLessThan(all.size());
      assertThat(trees(had)).isEqualTo(trees(all.subList(0, had.size())));
      var since = had.isEmpty() ? "0" : seq(had.getLast());
      assertThat(trees(quick(",\"since\":" + since)))
          .isEqualTo(trees(all.subList(had.size(), all.size())));
    }
  }

  private static List<JsonNode> trees(List<String> events) {
    return events.stream().map(JSON::readTree).toList();
  }

  @Test
  void slow_readers_do_not_fill_the_memory() throws Exception {
    var process = FixtureProcess.plain().withMemory(128);
    var slow = new ArrayList<SlowSocket>();
    try (var running = FixtureServer.start(folder.resolve("other.db"), process)) {
      var body = filter(",\"since\":0");
      for (int i = 0; i < 24; i++) {
        var socket = SlowSocket.to(running.address());
        slow.add(socket);
        socket.send(
            """
            POST %s HTTP/1.1\r
            Host: localhost\r
            Content-Length: %d\r
            \r
            %s\
            """
                .formatted(path("stream/events"), body.length(), body));
        assertThat(socket.firstByte()).isEqualTo('H');
      }
      var command =
          "{\"id\":1,\"method\":\"run.start\",\"params\":"
              + "{\"assistant_id\":\"large\",\"input\":{\"seen\":[]}}}";
      var request = HttpRequest.newBuilder(running.address().resolve(path("commands")));
      var begun =
          http.send(
              request.POST(BodyPublishers.ofString(command)).build(), BodyHandlers.ofString());
      assertThat(begun.body()).contains("success");

      var quick = reader(running.address(), body);

      assertThat(quick.stream().filter(event -> event.contains("\"values\"")))
          .hasSize(FixtureGraphs.STEPS + 1);
      assertThat(running.process().isAlive()).isTrue();
    } finally {
      for (var one : slow) one.close();
    }
  }

  private List<String> reader(URI address, String body) throws Exception {
    var request =
        HttpRequest.newBuilder(address.resolve(path("stream/events")))
            .POST(BodyPublishers.ofString(body))
            .build();
    var response = http.send(request, BodyHandlers.ofInputStream());
    try (var lines =
        new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8))) {
      return toTheEnd(lines);
    }
  }
}
