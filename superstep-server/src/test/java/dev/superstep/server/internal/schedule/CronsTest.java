package dev.superstep.server.internal.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.json.Json;
import dev.superstep.server.internal.api.CronResource;
import dev.superstep.server.internal.http.Guard;
import dev.superstep.server.internal.http.HttpFailure;
import dev.superstep.server.internal.http.Reply;
import dev.superstep.server.internal.http.Routes;
import dev.superstep.server.log.AuditLog;
import dev.superstep.server.security.Authorizer;
import dev.superstep.server.security.Principal;
import dev.superstep.service.ServiceStore;
import dev.superstep.store.jdbc.SqliteServiceStore;
import dev.superstep.testkit.ManualClock;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/// The API of schedules, and their firing, on a file of SQLite with a clock of the test.
@Tag("H4.5")
final class CronsTest {
  private static final String HOURLY =
      "{\"assistant_id\":\"agent\",\"schedule\":\"0 * * * *\",\"input\":{\"n\":1},"
          + "\"metadata\":{\"team\":\"a\"}}";

  private final ManualClock clock = ManualClock.at("2026-03-01T10:20:00Z");
  private final Principal ann = new Principal("ann", Set.of(), Map.of());
  private final Routes routes = new Routes();
  private ServiceStore store;
  private Scheduler scheduler;

  @BeforeEach
  void open(@TempDir Path folder) {
    store = SqliteServiceStore.open(folder.resolve("service.db"), clock);
    var starter = new RecordedStarter();
    var guard = new Guard(CronsTest::decide, AuditLog.none());
    new CronResource(new Crons(store, guard, starter)).addTo(routes);
    scheduler = new Scheduler(store, starter);
  }

  @AfterEach
  void close() {
    scheduler.close();
    store.close();
  }

  /// Principals with a tenant have only what is marked with it.
  private static Authorizer.Decision decide(Principal who, Object what) {
    return who.claims().containsKey("tenant")
        ? new Authorizer.Decision.Allowed(
            Optional.of(Json.of(Map.of("tenant", who.claims().get("tenant")))), Optional.empty())
        : Authorizer.Decision.ALLOWED;
  }

  private static Principal tenant(String name) {
    return new Principal("of " + name, Set.of(), Map.of("tenant", name));
  }

  private Reply send(String line, String body) throws Exception {
    return DirectCall.send(routes, ann, line, body);
  }

  private JsonNode json(String line, String body) throws Exception {
    return ((Reply.Value) send(line, body)).body();
  }

  private static int status(org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
    try {
      call.call();
    } catch (HttpFailure e) {
      return e.status();
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
    return 200;
  }

  @Test
  void a_schedule_has_the_fields_that_clients_know() throws Exception {
    var made =
        json(
            "POST /threads/t1/runs/crons",
            "{\"assistant_id\":\"agent\",\"schedule\":\"0 8 * * *\",\"timezone\":\"Europe/Berlin\","
                + "\"end_time\":\"2026-04-01T00:00:00+02:00\",\"input\":{\"n\":1.50},"
                + "\"webhook\":\"https://example.com\",\"metadata\":{\"a\":1}}");
    assertThat(made.path("thread_id").asString()).isEqualTo("t1");
    assertThat(made.path("assistant_id").asString()).isEqualTo("agent");
    assertThat(made.path("next_run_date").asString()).isEqualTo("2026-03-02T07:00:00Z");
    assertThat(made.path("end_time").asString()).isEqualTo("2026-03-31T22:00:00Z");
    assertThat(made.path("created_at").asString()).isEqualTo("2026-03-01T10:20:00Z");
    assertThat(made.path("user_id").asString()).isEqualTo("ann");
    assertThat(made.path("enabled").asBoolean()).isTrue();
    assertThat(made.path("metadata").toString()).isEqualTo("{\"a\":1}");
    assertThat(made.path("payload").path("input").toString()).isEqualTo("{\"n\":1.50}");
    assertThat(made.path("payload").has("schedule")).isFalse();
    assertThat(json("POST /runs/crons/search", "{}").get(0)).isEqualTo(made);
  }

  @Test
  void a_run_starts_when_it_is_due_and_not_before() throws Exception {
    var id = json("POST /runs/crons", HOURLY).path("cron_id").asString();
    clock.advance(Duration.ofMinutes(39));
    assertThat(scheduler.fireDue()).isZero();
    clock.advance(Duration.ofMinutes(1));
    assertThat(scheduler.fireDue()).isEqualTo(1);
    assertThat(scheduler.fireDue()).isZero();
    assertThat(RecordedStarter.started(store))
        .containsExactly(
            id
                + " - ann {\"assistant_id\":\"agent\",\"input\":{\"n\":1},"
                + "\"metadata\":{\"team\":\"a\"},\"on_completion\":\"delete\"}");
    var next = json("POST /runs/crons/search", "{}").get(0).path("next_run_date").asString();
    assertThat(next).isEqualTo("2026-03-01T12:00:00Z");
  }

  @Test
  void a_run_of_a_thread_is_started_there() throws Exception {
    json("POST /threads/t1/runs/crons", HOURLY);
    clock.advance(Duration.ofHours(1));
    scheduler.fireDue();
    assertThat(RecordedStarter.started(store).getFirst())
        .contains(" t1 ann ")
        .doesNotContain("on_completion");
  }

  @Test
  void a_long_outage_is_followed_by_one_firing() throws Exception {
    json("POST /runs/crons", "{\"assistant_id\":\"a\",\"schedule\":\"* * * * *\"}");
    clock.advance(Duration.ofDays(3));
    assertThat(scheduler.fireDue()).isEqualTo(1);
    assertThat(RecordedStarter.started(store)).hasSize(1);
    assertThat(json("POST /runs/crons/search", "{}").get(0).path("next_run_date").asString())
        .isEqualTo("2026-03-04T10:21:00Z");
  }

  @Test
  void a_schedule_ends_at_its_time() throws Exception {
    json(
        "POST /runs/crons",
        "{\"assistant_id\":\"a\",\"schedule\":\"0 * * *"
            + " *\",\"end_time\":\"2026-03-01T12:00:00Z\"}");
    for (int i = 0; i < 5; i++) {
      clock.advance(Duration.ofHours(1));
      scheduler.fireDue();
    }
    assertThat(RecordedStarter.started(store)).hasSize(2);
    assertThat(json("POST /runs/crons/search", "{}").get(0).path("next_run_date").isNull())
        .isTrue();
  }

  @Test
  void a_disabled_schedule_waits_until_it_is_enabled() throws Exception {
    var id = json("POST /runs/crons", HOURLY).path("cron_id").asString();
    var off = json("PATCH /runs/crons/" + id, "{\"enabled\":false}");
    assertThat(off.path("next_run_date").isNull()).isTrue();
    clock.advance(Duration.ofHours(5));
    assertThat(scheduler.fireDue()).isZero();
    var on = json("PATCH /runs/crons/" + id, "{\"enabled\":true,\"input\":{\"n\":2}}");
    assertThat(on.path("next_run_date").asString()).isEqualTo("2026-03-01T16:00:00Z");
    assertThat(on.path("payload").path("input").path("n").asInt()).isEqualTo(2);
    clock.advance(Duration.ofHours(1));
    assertThat(scheduler.fireDue()).isEqualTo(1);
  }

  @Test
  void a_schedule_whose_run_cannot_start_does_not_hold_up_the_others() throws Exception {
    json("POST /runs/crons", "{\"assistant_id\":\"gone\",\"schedule\":\"0 * * * *\"}");
    json("POST /runs/crons", HOURLY);
    clock.advance(Duration.ofHours(1));
    assertThat(scheduler.fireDue()).isEqualTo(2);
    assertThat(RecordedStarter.started(store)).hasSize(1);
    assertThat(scheduler.fireDue()).isZero();
  }

  @Test
  void a_deleted_schedule_never_fires() throws Exception {
    var id = json("POST /runs/crons", HOURLY).path("cron_id").asString();
    assertThat(send("DELETE /runs/crons/" + id, "")).isEqualTo(Reply.nothing());
    assertThat(status(() -> send("DELETE /runs/crons/" + id, ""))).isEqualTo(404);
    assertThat(status(() -> send("PATCH /runs/crons/" + id, "{}"))).isEqualTo(404);
    clock.advance(Duration.ofHours(1));
    assertThat(scheduler.fireDue()).isZero();
  }

  @Test
  void searches_have_pages() throws Exception {
    for (int i = 0; i < 5; i++) {
      json("POST /threads/t" + i % 2 + "/runs/crons", HOURLY);
      clock.advance(Duration.ofSeconds(1));
    }
    var page = send("POST /runs/crons/search", "{\"limit\":2,\"select\":[\"thread_id\"]}");
    assertThat(page.headers())
        .containsEntry("X-Pagination-Total", "5")
        .containsEntry("X-Pagination-Next", "2");
    assertThat(((Reply.Value) page).body().toString())
        .isEqualTo("[{\"thread_id\":\"t0\"},{\"thread_id\":\"t1\"}]");
    var last = send("POST /runs/crons/search", "{\"limit\":2,\"offset\":4}");
    assertThat(last.headers()).doesNotContainKey("X-Pagination-Next");
    assertThat(json("POST /runs/crons/count", "{\"thread_id\":\"t1\"}").intValue()).isEqualTo(2);
    assertThat(json("POST /runs/crons/count", "{\"metadata\":{\"team\":\"b\"}}").intValue())
        .isZero();
    assertThat(json("POST /runs/crons/count", "{\"enabled\":false}").intValue()).isZero();
  }

  @Test
  @Tag("SV4")
  void a_tenant_sees_only_its_own_schedules() throws Exception {
    var reply = DirectCall.send(routes, tenant("a"), "POST /runs/crons", HOURLY);
    var made = ((Reply.Value) reply).body();
    assertThat(made.path("metadata").path("tenant").asString()).isEqualTo("a");
    var path = "/runs/crons/" + made.path("cron_id").asString();
    var other = tenant("b");
    assertThat(status(() -> DirectCall.send(routes, other, "DELETE " + path, ""))).isEqualTo(404);
    assertThat(status(() -> DirectCall.send(routes, other, "PATCH " + path, "{}"))).isEqualTo(404);
    // A filter of its own does not widen what it sees.
    var body = "{\"metadata\":{\"tenant\":\"a\"}}";
    var found = DirectCall.send(routes, other, "POST /runs/crons/search", body);
    assertThat(((Reply.Value) found).body()).isEmpty();
    var moved =
        DirectCall.send(
            routes, tenant("a"), "PATCH " + path, "{\"metadata\":{\"tenant\":\"b\",\"x\":1}}");
    assertThat(((Reply.Value) moved).body().path("metadata").toString())
        .isEqualTo("{\"team\":\"a\",\"tenant\":\"a\",\"x\":1}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[]",
        "{\"assistant_id\":\"a\"}",
        "{\"assistant_id\":\"a\",\"schedule\":\"x\"}",
        "{\"assistant_id\":\"a\",\"schedule\":5}",
        "{\"assistant_id\":\"a\",\"schedule\":\"@daily\",\"timezone\":\"Mars\"}",
        "{\"assistant_id\":\"a\",\"schedule\":\"@daily\",\"end_time\":\"soon\"}",
        "{\"assistant_id\":\"a\",\"schedule\":\"@daily\",\"enabled\":1}",
        "{\"assistant_id\":\"a\",\"schedule\":\"@daily\",\"on_run_completed\":\"burn\"}"
      })
  void a_wrong_schedule_is_refused(String body) {
    assertThat(status(() -> send("POST /runs/crons", body))).isEqualTo(422);
    assertThat(status(() -> send("POST /runs/crons/count", "{}"))).isEqualTo(200);
  }

  @Test
  void an_unknown_assistant_is_refused_at_once() {
    assertThatThrownBy(
            () -> send("POST /runs/crons", "{\"assistant_id\":\"none\",\"schedule\":\"@daily\"}"))
        .isInstanceOf(HttpFailure.class)
        .hasMessageContaining("No assistant found");
  }

  @Test
  void a_started_scheduler_fires_by_itself() throws Exception {
    scheduler.start();
    json("POST /runs/crons", HOURLY);
    clock.advance(Duration.ofHours(1));
    try (var watch = store.watch(Scheduler.TOPIC)) {
      // A change of any schedule makes it look at the clock.
      json("POST /runs/crons", HOURLY);
      List<String> started = RecordedStarter.started(store);
      while (started.isEmpty()) {
        watch.await(Duration.ofMillis(20));
        started = RecordedStarter.started(store);
      }
      assertThat(started).hasSize(1);
    }
  }
}
