package dev.superstep.server.internal.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.json.Json;
import dev.superstep.server.internal.http.HttpFailure;
import dev.superstep.server.internal.net.AddressGuard;
import dev.superstep.server.internal.net.OutboundHttp;
import dev.superstep.server.internal.net.Receiver;
import dev.superstep.server.internal.wire.Trees;
import dev.superstep.server.options.WebhookOptions;
import dev.superstep.service.Document;
import dev.superstep.service.DocumentKind;
import dev.superstep.service.DocumentQuery;
import dev.superstep.service.ServiceStore;
import dev.superstep.store.jdbc.PostgresServiceStore;
import dev.superstep.store.jdbc.SqliteServiceStore;
import dev.superstep.test.postgres.PostgresServer;
import dev.superstep.testkit.ManualClock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

@Tag("H4.5")
final class WebhooksTest {
  private static final byte[] KEY =
      "0123456789abcdef0123456789abcdef".getBytes(StandardCharsets.UTF_8);
  private static final String SECRET = "whsec_" + Base64.getEncoder().encodeToString(KEY);
  private static final WebhookOptions OPTIONS =
      WebhookOptions.defaults().withSecrets(List.of(SECRET)).withAttempts(3);

  private final ManualClock clock = ManualClock.at("2026-03-01T10:20:00Z");
  private final OutboundHttp local = new OutboundHttp(AddressGuard.allowing(List.of("127.0.0.1")));
  private Path file;
  private ServiceStore store;

  @BeforeEach
  void open(@TempDir Path folder) {
    file = folder.resolve("service.db");
    store = SqliteServiceStore.open(file, clock);
  }

  @AfterEach
  void close() {
    store.close();
  }

  private static EndedRun run(String id, String values) {
    var run = "{\"run_id\":\"%s\",\"status\":\"success\",\"metadata\":{}}".formatted(id);
    return new EndedRun(
        (ObjectNode) Trees.of(Json.parse(run)),
        Optional.of(Instant.parse("2026-03-01T10:19:00Z")),
        Instant.parse("2026-03-01T10:20:00Z"),
        Trees.of(Json.parse(values)),
        Optional.empty());
  }

  private static void end(ServiceStore store, String url, EndedRun run) {
    store.write(in -> {
      new Webhooks(OPTIONS).add(in, url, run);
      return true;
    });
  }

  private WebhookSender sender() {
    return new WebhookSender(store, local, OPTIONS);
  }

  private static List<Document> deliveries(ServiceStore store) {
    return store.read(in -> in.search(DocumentQuery.of(DocumentKind.DELIVERY)));
  }

  private static String status(ServiceStore store) {
    return deliveries(store).getFirst().status();
  }

  @Test
  void an_ended_run_is_told_once_with_its_fields_and_a_signature() throws Exception {
    try (var receiver = Receiver.answering("200 OK");
        var sender = sender()) {
      end(store, receiver.url() + "/hook", run("r1", "{\"n\":1.50}"));
      assertThat(sender.sendDue()).isEqualTo(1);
      assertThat(sender.sendDue()).isZero();
      var request = receiver.requests.getFirst();
      assertThat(request.body())
          .isEqualTo(
              "{\"run_id\":\"r1\",\"status\":\"success\",\"metadata\":{},"
                  + "\"run_started_at\":\"2026-03-01T10:19:00Z\","
                  + "\"run_ended_at\":\"2026-03-01T10:20:00Z\",\"values\":{\"n\":1.50},"
                  + "\"error\":null,\"webhook_sent_at\":\"2026-03-01T10:20:00Z\"}");
      var id = request.headers().get("webhook-id");
      var time = request.headers().get("webhook-timestamp");
      assertThat(time).isEqualTo("" + clock.instant().getEpochSecond());
      var mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(KEY, "HmacSHA256"));
      var signed = (id + "." + time + "." + request.body()).getBytes(StandardCharsets.UTF_8);
      assertThat(request.headers().get("webhook-signature"))
          .isEqualTo("v1," + Base64.getEncoder().encodeToString(mac.doFinal(signed)));
      assertThat(status(store)).isEqualTo("delivered");
      // The values of the run are not kept for longer than they are needed.
      assertThat(deliveries(store).getFirst().body().text()).doesNotContain("1.50");
    }
  }

  @Test
  void a_run_whose_end_is_undone_is_not_told() {
    try (var receiver = Receiver.answering("200 OK");
        var sender = sender()) {
      assertThatThrownBy(() ->
              store.write(in -> {
                new Webhooks(OPTIONS).add(in, receiver.url(), run("r1", "{}"));
                throw new IllegalStateException("undone");
              }))
          .hasMessage("undone");
      assertThat(sender.sendDue()).isZero();
      assertThat(receiver.requests).isEmpty();
    }
  }

  @Test
  void a_receiver_that_fails_is_asked_again_later_also_after_a_restart() {
    var calls = new AtomicInteger();
    try (var receiver =
        Receiver.answering(
            _ -> "HTTP/1.1 " + (calls.incrementAndGet() < 3 ? "503 No" : "200 OK") + "\r\n\r\n")) {
      end(store, receiver.url(), run("r1", "{}"));
      try (var sender = sender()) {
        assertThat(sender.sendDue()).isEqualTo(1);
        assertThat(sender.sendDue()).isZero();
        clock.advance(Duration.ofSeconds(10));
        assertThat(sender.sendDue()).isEqualTo(1);
      }
      store.close();
      store = SqliteServiceStore.open(file, clock);
      try (var sender = sender()) {
        assertThat(sender.sendDue()).isZero();
        clock.advance(Duration.ofMinutes(1));
        assertThat(sender.sendDue()).isEqualTo(1);
      }
      assertThat(status(store)).isEqualTo("delivered");
      assertThat(receiver.requests.stream().map(each -> each.headers().get("webhook-id")))
          .hasSize(3)
          .containsOnly(deliveries(store).getFirst().id());
    }
  }

  @Test
  void attempts_are_bounded() {
    try (var receiver = Receiver.answering("500 No");
        var sender = sender()) {
      end(store, receiver.url(), run("r1", "{}"));
      for (int i = 0; i < 10; i++) {
        sender.sendDue();
        clock.advance(Duration.ofHours(10));
      }
      assertThat(receiver.requests).hasSize(3);
      assertThat(status(store)).isEqualTo("failed");
      assertThat(deliveries(store).getFirst().body().text()).contains("status 500");
    }
  }

  @Test
  void a_receiver_that_is_gone_for_good_is_not_asked_again() {
    try (var receiver = Receiver.answering("410 Gone");
        var sender = sender()) {
      end(store, receiver.url(), run("r1", "{}"));
      sender.sendDue();
      assertThat(status(store)).isEqualTo("failed");
    }
  }

  @Test
  @Tag("SV6")
  void a_private_address_is_never_called() {
    try (var receiver = Receiver.answering("200 OK");
        var sender =
            new WebhookSender(store, new OutboundHttp(AddressGuard.allowing(List.of())), OPTIONS)) {
      end(store, receiver.url(), run("r1", "{}"));
      end(store, "http://localhost:" + receiver.port(), run("r2", "{}"));
      end(store, "http://169.254.169.254/latest/meta-data/", run("r3", "{}"));
      assertThat(sender.sendDue()).isEqualTo(3);
      assertThat(receiver.requests).isEmpty();
      assertThat(deliveries(store)).extracting(Document::status).containsOnly("failed");
    }
  }

  @Test
  void a_process_that_dies_while_it_sends_leaves_it_to_another() {
    try (var receiver = Receiver.answering("200 OK")) {
      end(store, receiver.url(), run("r1", "{}"));
      // As a process leaves it that has claimed it and is gone.
      store.write(in -> {
        var one = in.search(DocumentQuery.of(DocumentKind.DELIVERY)).getFirst();
        var body = (ObjectNode) Trees.of(one.body());
        body.put("attempts", 1);
        return in.replace(one.dueAt(in.now().plusSeconds(40)).body(Trees.json(body, "it")));
      });
      try (var sender = sender()) {
        assertThat(sender.sendDue()).isZero();
        clock.advance(Duration.ofSeconds(41));
        assertThat(sender.sendDue()).isEqualTo(1);
        assertThat(status(store)).isEqualTo("delivered");
      }
    }
  }

  @Test
  void values_that_are_too_large_are_left_out() {
    try (var receiver = Receiver.answering("200 OK");
        var sender = sender()) {
      end(store, receiver.url(), run("r1", "{\"x\":\"" + "y".repeat(1024 * 1024) + "\"}"));
      sender.sendDue();
      assertThat(receiver.requests.getFirst().body())
          .contains("\"values\":null", "\"values_omitted\":true")
          .hasSizeLessThan(1_000);
    }
  }

  @Test
  void a_webhook_that_can_never_be_called_is_refused_with_its_run() {
    assertThat(Webhooks.asked(Trees.of(Json.parse("{}")))).isEmpty();
    assertThat(Webhooks.asked(Trees.of(Json.parse("{\"webhook\":\"https://example.com/x\"}"))))
        .contains("https://example.com/x");
    for (var wrong : List.of("5", "\"/relative\"", "\"file:///etc/passwd\"")) {
      assertThatThrownBy(() -> Webhooks.asked(Trees.of(Json.parse("{\"webhook\":" + wrong + "}"))))
          .isInstanceOf(HttpFailure.class);
    }
  }

  @Test
  void a_started_sender_sends_by_itself() throws Exception {
    try (var receiver = Receiver.answering("200 OK");
        var sender = sender();
        var watch = store.watch(Webhooks.TOPIC)) {
      sender.start();
      for (int i = 0; i < 40; i++) end(store, receiver.url(), run("r" + i, "{}"));
      var delivered = DocumentQuery.of(DocumentKind.DELIVERY).in("delivered");
      while (store.<Long>read(in -> in.count(delivered)) < 40) watch.await(Duration.ofMillis(20));
      assertThat(receiver.requests).hasSize(40);
    }
  }

  @Test
  @Tag("SV2")
  void each_is_sent_once_by_several_processes_on_postgres() throws Exception {
    var source = PostgresServer.shared().freshDatabase().dataSource();
    try (var receiver = Receiver.answering("200 OK");
        var shared = PostgresServiceStore.on(source)) {
      for (int i = 0; i < 20; i++) end(shared, receiver.url(), run("r" + i, "{}"));
      Callable<Integer> process =
          () -> {
            try (var own = PostgresServiceStore.on(source);
                var sender = new WebhookSender(own, local, OPTIONS)) {
              return sender.sendDue();
            }
          };
      try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
        threads.invokeAll(List.of(process, process, process, process));
      }
      assertThat(receiver.requests.stream().map(each -> each.headers().get("webhook-id")))
          .hasSize(20)
          .doesNotHaveDuplicates();
      assertThat(deliveries(shared)).extracting(Document::status).containsOnly("delivered");
    }
  }
}
