package dev.superstep.server.background;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.graph.Graph;
import dev.superstep.graph.Threads;
import dev.superstep.json.Json;
import dev.superstep.node.Update;
import dev.superstep.server.AgentServer;
import dev.superstep.server.graph.ServedGraph;
import dev.superstep.server.internal.net.Receiver;
import dev.superstep.server.internal.retention.Cleaning;
import dev.superstep.server.internal.wire.Trees;
import dev.superstep.server.options.Quotas;
import dev.superstep.server.options.ServerOptions;
import dev.superstep.server.options.WebhookOptions;
import dev.superstep.service.Document;
import dev.superstep.service.DocumentKind;
import dev.superstep.service.DocumentQuery;
import dev.superstep.service.ServiceStore;
import dev.superstep.state.Channel;
import dev.superstep.store.jdbc.SqliteCheckpointer;
import dev.superstep.store.jdbc.SqliteServiceStore;
import dev.superstep.testkit.ManualClock;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// What a server does by itself: schedules, webhooks and cleaning, with runs of real graphs on
/// SQLite and a clock of the test.
@Timeout(120)
@Tag("SV10")
final class BackgroundTest {
  private static final Channel<Integer, Integer> N = Channel.latest("n", Integer.class);
  private static final Duration KEPT = Duration.ofHours(1);

  private final ManualClock clock = ManualClock.at("2026-03-01T10:20:00Z");
  private final HttpClient client = HttpClient.newHttpClient();
  private Checkpointer checkpoints;
  private ServiceStore documents;
  private AgentServer server;

  @BeforeEach
  void open(@TempDir Path folder) throws Exception {
    checkpoints = SqliteCheckpointer.open(folder.resolve("service.db"));
    documents = SqliteServiceStore.open(folder.resolve("service.db"), clock);
    var options =
        ServerOptions.defaults()
            .withQuotas(Quotas.defaults().withThreads(4).withWaitingRuns(2))
            .withWebhooks(WebhookOptions.defaults().withNetworks(Set.of("127.0.0.1")));
    server =
        AgentServer.on(checkpoints, documents)
            .serving(ServedGraph.of(counting()))
            .options(options)
            .start(0);
  }

  @AfterEach
  void close() {
    server.close();
    documents.close();
    checkpoints.close();
    client.shutdownNow();
  }

  /// Adds one; fails at a negative number.
  private static Graph counting() {
    return Graph.named("counting")
        .channels(N)
        .node(
            "add",
            (state, _) -> {
              if (state.get(N) < 0) throw new IllegalArgumentException("negative");
              return Update.of(N, state.get(N) + 1);
            })
        .edge(START, "add")
        .edge("add", END)
        .compile();
  }

  private HttpResponse<String> send(String line, String body) throws Exception {
    var method = line.substring(0, line.indexOf(' '));
    var uri = server.address().resolve(line.substring(line.indexOf(' ') + 1));
    var publisher = body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body);
    return client.send(
        HttpRequest.newBuilder(uri).method(method, publisher).build(), BodyHandlers.ofString());
  }

  private JsonNode json(String line, String body) throws Exception {
    var response = send(line, body);
    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    return Trees.of(Json.parse(response.body()));
  }

  private static String run(int n, String more) {
    return "{\"assistant_id\":\"counting\",\"input\":{\"n\":" + n + "}" + more + "}";
  }

  private Cleaning cleaning() {
    return new Cleaning(documents, _ -> Threads.in(checkpoints), KEPT);
  }

  private void awaitSignal(String topic, BooleanSupplier isDone) throws InterruptedException {
    try (var watch = documents.watch(topic)) {
      while (!isDone.getAsBoolean()) {
        var _ = watch.await(Duration.ofMillis(50));
      }
    }
  }

  private Optional<Document> find(DocumentKind kind, String id) {
    return documents.read(in -> in.find(kind, id));
  }

  private long count(DocumentKind kind) {
    return documents.read(in -> in.count(DocumentQuery.of(kind)));
  }

  private boolean hasState(String thread) {
    return !checkpoints.page(Lineage.of(thread), Optional.empty(), 1).isEmpty();
  }

  @Test
  void a_schedule_starts_a_real_run_on_its_thread() throws Exception {
    var thread = json("POST /threads", "{}").path("thread_id").asString();
    var path = "/threads/" + thread + "/runs";
    json("POST " + path + "/crons", run(1, ",\"schedule\":\"0 11 * * *\""));
    clock.advance(Duration.ofMinutes(40));
    // A change of a schedule makes the server look at the clock again.
    json("POST /runs/crons", run(1, ",\"schedule\":\"@yearly\""));
    awaitSignal("thread/" + thread, () -> count(DocumentKind.RUN) == 1);
    var run = json("GET " + path, "").get(0).path("run_id").asString();
    assertThat(json("GET " + path + "/" + run + "/join", "").path("n").intValue()).isEqualTo(2);
    assertThat(json("GET " + path, "").get(0).path("metadata").has("cron_id")).isTrue();
  }

  @Test
  void the_end_of_a_run_is_told_with_its_values() throws Exception {
    try (var receiver = Receiver.answering("200 OK")) {
      var webhook = ",\"webhook\":\"" + receiver.url() + "/hook\"";
      assertThat(json("POST /runs/wait", run(1, webhook)).path("n").intValue()).isEqualTo(2);
      awaitSignal("deliveries", () -> receiver.requests.size() == 1);
      var told = Trees.of(Json.parse(receiver.requests.getFirst().body()));
      assertThat(told.path("status").asString()).isEqualTo("success");
      assertThat(told.path("values").path("n").intValue()).isEqualTo(2);
      assertThat(told.path("error").isNull()).isTrue();
      assertThat(told.path("run_ended_at").asString()).isEqualTo("2026-03-01T10:20:00Z");
      var failed = json("POST /runs/wait", run(-1, webhook));
      assertThat(failed.has("__error__")).isTrue();
      awaitSignal("deliveries", () -> receiver.requests.size() == 2);
      var error = Trees.of(Json.parse(receiver.requests.get(1).body()));
      assertThat(error.path("status").asString()).isEqualTo("error");
      assertThat(error.path("error").path("message").asString()).contains("negative");
    }
  }

  @Test
  void a_thread_that_was_made_for_a_run_goes_with_its_end_and_the_stream_later() throws Exception {
    var reply = send("POST /runs/wait", run(1, ""));
    var path = reply.headers().firstValue("Content-Location").orElseThrow();
    var id = path.substring(path.lastIndexOf('/') + 1);
    var thread = find(DocumentKind.RUN, id).orElseThrow().parent();
    awaitSignal("cleaning", () -> find(DocumentKind.THREAD, thread).isEmpty());
    assertThat(hasState(thread)).isFalse();
    assertThat(json("GET " + path + "/join", "").path("n").intValue()).isEqualTo(2);
    try (var cleaning = cleaning()) {
      clock.advance(KEPT.minusSeconds(1));
      cleaning.cleanDue();
      assertThat(documents.<Long>read(in -> in.lastOffset("run/" + id))).isPositive();
      clock.advance(Duration.ofMinutes(6));
      cleaning.cleanDue();
      assertThat(documents.<Long>read(in -> in.lastOffset("run/" + id))).isZero();
      assertThat(find(DocumentKind.RUN, id)).isEmpty();
    }
  }

  @Test
  void a_thread_that_is_kept_stays_with_its_run_but_not_the_stream() throws Exception {
    var reply = send("POST /runs/wait", run(1, ",\"on_completion\":\"keep\""));
    var path = reply.headers().firstValue("Content-Location").orElseThrow();
    var id = path.substring(path.lastIndexOf('/') + 1);
    var thread = find(DocumentKind.RUN, id).orElseThrow().parent();
    try (var cleaning = cleaning()) {
      clock.advance(KEPT.plusSeconds(1));
      cleaning.cleanDue();
      assertThat(documents.<Long>read(in -> in.lastOffset("run/" + id))).isZero();
      assertThat(find(DocumentKind.RUN, id)).isPresent();
      assertThat(hasState(thread)).isTrue();
      assertThat(cleaning.cleanDue()).isZero();
    }
  }

  private String threadFor(String ttl) throws Exception {
    var thread = json("POST /threads", "{\"ttl\":" + ttl + "}").path("thread_id").asString();
    json("POST /threads/" + thread + "/runs/wait", run(1, ""));
    json("POST /threads/" + thread + "/runs/wait", run(1, ""));
    return thread;
  }

  @Test
  void a_thread_is_deleted_when_nobody_has_used_it_for_its_time() throws Exception {
    var thread = threadFor("{\"ttl\":60,\"strategy\":\"delete\"}");
    try (var cleaning = cleaning()) {
      clock.advance(Duration.ofMinutes(50));
      json("POST /threads/" + thread + "/runs/wait", run(1, ""));
      clock.advance(Duration.ofMinutes(50));
      cleaning.cleanDue();
      assertThat(find(DocumentKind.THREAD, thread)).isPresent();
      clock.advance(Duration.ofMinutes(11));
      cleaning.cleanDue();
      assertThat(find(DocumentKind.THREAD, thread)).isEmpty();
      assertThat(count(DocumentKind.RUN)).isZero();
      assertThat(hasState(thread)).isFalse();
    }
  }

  @Test
  void a_thread_keeps_its_latest_state_if_that_was_asked_for() throws Exception {
    var thread = threadFor("{\"ttl\":60,\"strategy\":\"keep_latest\"}");
    var path = "/threads/" + thread;
    int before = json("POST " + path + "/history", "{}").size();
    try (var cleaning = cleaning()) {
      clock.advance(Duration.ofMinutes(61));
      cleaning.cleanDue();
      assertThat(json("POST " + path + "/history", "{}").size()).isEqualTo(1).isLessThan(before);
      assertThat(json("GET " + path + "/state", "").path("values").path("n").intValue())
          .isEqualTo(2);
      assertThat(find(DocumentKind.THREAD, thread).orElseThrow().due()).isEmpty();
    }
  }

  @Test
  void a_full_service_says_so_and_takes_more_after_room_was_made() throws Exception {
    var first = json("POST /threads", "{}").path("thread_id").asString();
    for (int i = 0; i < 3; i++) json("POST /threads", "{}");
    var refused = send("POST /threads", "{}");
    assertThat(refused.statusCode()).isEqualTo(429);
    assertThat(refused.body()).contains("at most 4 threads");
    assertThat(send("POST /runs", run(1, "")).statusCode()).isEqualTo(429);
    assertThat(send("DELETE /threads/" + first, "").statusCode()).isEqualTo(204);
    json("POST /threads", "{}");
  }

  @Test
  void runs_beyond_the_quota_may_not_wait() throws Exception {
    var thread = json("POST /threads", "{}").path("thread_id").asString();
    var later = run(1, ",\"after_seconds\":600,\"multitask_strategy\":\"enqueue\"");
    json("POST /threads/" + thread + "/runs", later);
    json("POST /threads/" + thread + "/runs", later);
    var refused = send("POST /threads/" + thread + "/runs", later);
    assertThat(refused.statusCode()).isEqualTo(429);
    assertThat(refused.body()).contains("At most 2 runs");
  }

  @Test
  void a_webhook_that_can_never_be_called_is_refused_at_once() throws Exception {
    var refused = send("POST /runs", run(1, ",\"webhook\":\"ftp://example.com\""));
    assertThat(refused.statusCode()).isEqualTo(422);
    assertThat(refused.body()).contains("webhook");
  }
}
