package dev.superstep.server.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.superstep.server.internal.net.Receiver;
import dev.superstep.test.postgres.PostgresDatabase;
import dev.superstep.test.postgres.PostgresServer;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/// Two servers on one database, the clock of one of which is 90 seconds behind or ahead.
@Timeout(600)
@Tag("SV2")
@Tag("SV15")
class ClockSkewTest {
  private static final int POLL_MILLIS = 10;
  private static final Duration SKEW = Duration.ofSeconds(90);

  private final List<FixtureServer.Running> servers = new ArrayList<>();
  private PostgresDatabase database;

  @BeforeEach
  void make_a_database() {
    database = PostgresServer.shared().freshDatabase();
  }

  @AfterEach
  void end_the_servers() {
    servers.forEach(FixtureServer.Running::close);
  }

  private FixtureServer.Running punctual() throws IOException {
    var server = FixtureServer.start(database);
    servers.add(server);
    return server;
  }

  private FixtureServer.Running skewed(Duration ahead) throws Exception {
    var library = FixtureProcess.clockLibrary();
    assumeThat(library).as("libfaketime is installed").isPresent();
    var process = FixtureProcess.plain().withClock(library.get(), ahead);
    var server = FixtureServer.start(database, process);
    servers.add(server);
    var off = Duration.between(Instant.now(), clock(server).toInstant());
    assertThat(off.minus(ahead).abs()).as("its clock is wrong").isLessThan(SKEW.dividedBy(2));
    return server;
  }

  /// What a server takes for the time.
  private static ZonedDateTime clock(FixtureServer.Running server) throws Exception {
    var request = HttpRequest.newBuilder(server.address().resolve("/ok")).build();
    var response = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.discarding());
    var date = response.headers().firstValue("date").orElseThrow();
    return ZonedDateTime.parse(date, DateTimeFormatter.RFC_1123_DATE_TIME);
  }

  private static StreamClient client(FixtureServer.Running server) {
    return new StreamClient(server::address);
  }

  @Test
  void no_run_is_taken_from_a_server_that_lives_and_webhooks_are_sent_once() throws Exception {
    var received = new LinkedBlockingQueue<Receiver.Request>();
    try (var receiver = Receiver.answering(request -> accepted(request, received))) {
      holds(punctual(), skewed(SKEW), receiver, received);
      holds(skewed(SKEW.negated()), servers.getFirst(), receiver, received);
      assertThat(receiver.requests).hasSize(2);
    }
  }

  private static String accepted(Receiver.Request request, Queue<Receiver.Request> received) {
    received.add(request);
    return "HTTP/1.1 204 No Content\r\n\r\n";
  }

  /// A run at one server, longer than some leases, while another one works.
  private static void holds(
      FixtureServer.Running one,
      FixtureServer.Running other,
      Receiver receiver,
      BlockingQueue<Receiver.Request> received)
      throws Exception {
    var client = client(one);
    var gate = "gate-" + one.address().getPort();
    var thread = "/threads/" + client.post("/threads", Map.of()).path("thread_id").asString();
    var body =
        Map.of("assistant_id", "gated", "input", Map.of("gate", gate), "webhook", receiver.url());
    var run = client.post(thread + "/runs", body);
    // Others have work of their own, and look for what is due each second.
    long end = System.nanoTime() + FixtureServer.LEASE.multipliedBy(3).toNanos();
    while (System.nanoTime() < end) client(other).follow(client(other).begin("counting"));
    assertThat(client(other).put("/store/items", item(gate, 60))).isEqualTo(204);

    var stream = client(other).follow(run);

    var metadata = stream.stream().filter(event -> event.event().equals("metadata")).toList();
    assertThat(metadata).hasSize(1);
    assertThat(metadata.getFirst().data().path("attempt").asInt()).isEqualTo(1);
    var sent = received.poll(2, TimeUnit.MINUTES);
    assertThat(sent).isNotNull();
    assertThat(sent.body()).contains(run.path("run_id").asString());
  }

  private static Map<String, Object> item(String key, int minutes) {
    return Map.of(
        "namespace", List.of("gates"), "key", key, "value", Map.of("open", true), "ttl", minutes);
  }

  @Test
  void what_one_server_keeps_for_a_minute_is_not_over_for_another() throws Exception {
    var behind = skewed(SKEW.negated());
    var ahead = skewed(SKEW);
    assertThat(client(behind).put("/store/items", item("short", 1))).isEqualTo(204);

    var found = client(ahead).get("/store/items?namespace=gates&key=short");

    assertThat(found.path("value").path("open").asBoolean()).isTrue();
  }

  private static String living(FixtureServer.Running server, double minutes) throws Exception {
    var ttl = Map.of("ttl", minutes, "strategy", "delete");
    return client(server).post("/threads", Map.of("ttl", ttl)).path("thread_id").asString();
  }

  private static boolean isThere(FixtureServer.Running server, String thread) throws Exception {
    var found = client(server).post("/threads/search", Map.of("ids", List.of(thread)));
    return !found.isEmpty();
  }

  /// A thread that is over in three seconds is deleted by a server whose clock differs by three
  /// minutes from that of its maker, and one that lives for two minutes is not.
  private void cleans(Duration maker, Duration cleaner) throws Exception {
    var made = skewed(maker);
    var later = living(made, 2);
    var soon = living(made, 0.05);
    made.close();
    var other = skewed(cleaner);
    long begun = System.nanoTime();
    while (isThere(other, soon)) {
      // The end of a run without a thread has servers look for what is over.
      var run = Map.of("assistant_id", "configured", "input", Map.of());
      client(other).post("/runs/wait", run);
    }
    var passed = Duration.ofNanos(System.nanoTime() - begun);
    // By its own clock it would have been too early, or minutes late.
    assertThat(passed).isLessThan(SKEW);
    assertThat(isThere(other, later)).isTrue();
  }

  @Test
  void a_clock_that_is_ahead_deletes_no_thread_before_its_time() throws Exception {
    cleans(SKEW.negated(), SKEW);
  }

  @Test
  @Tag("long")
  void a_clock_that_is_behind_keeps_no_thread_beyond_its_time() throws Exception {
    cleans(SKEW, SKEW.negated());
  }

  @Test
  void checkpoints_of_one_that_takes_over_with_a_clock_behind_sort_last() throws Exception {
    var victim = skewed(SKEW);
    var other = skewed(SKEW.negated());
    var follower = client(other);
    var run = client(victim).begin("counting");
    var thread = "/threads/" + run.path("thread_id").asString();
    while (history(follower, thread).size() < 3) Thread.sleep(POLL_MILLIS);
    victim.kill();
    var stream = follower.follow(run);

    assertThat(stream.getLast().data().path("seen")).hasSize(FixtureGraphs.STEPS);
    var ids = new ArrayList<String>();
    for (var state : history(follower, thread)) {
      ids.add(state.path("checkpoint").path("checkpoint_id").asString());
    }
    assertThat(ids).hasSizeGreaterThan(FixtureGraphs.STEPS);
    assertThat(ids.reversed()).isSorted();
  }

  private static JsonNode history(StreamClient client, String thread) throws Exception {
    return client.post(thread + "/history", Map.of("limit", 100));
  }

  @Test
  @Tag("long")
  void a_schedule_fires_once_at_its_time() throws Exception {
    var behind = skewed(SKEW.negated());
    var ahead = skewed(SKEW);
    var client = client(behind);
    var thread = "/threads/" + client.post("/threads", Map.of()).path("thread_id").asString();
    var schedule =
        Map.of(
            "assistant_id",
            "configured",
            "schedule",
            "* * * * *",
            "input",
            Map.of(),
            "multitask_strategy",
            "enqueue");
    var cron = client.post(thread + "/runs/crons", schedule);
    var runs = client.get(thread + "/runs");
    while (runs.size() < 2) {
      Thread.sleep(1_000);
      runs = client(ahead).get(thread + "/runs");
    }
    assertThat(cron.path("cron_id").asString()).isNotEmpty();
    var times = new ArrayList<String>();
    for (var run : runs) times.add(run.path("created_at").asString().substring(0, 16));
    // Each minute has one.
    assertThat(times).doesNotHaveDuplicates();
  }
}
