package dev.superstep.a2a;

import static dev.superstep.a2a.RpcRequests.at;
import static dev.superstep.a2a.RpcRequests.said;
import static dev.superstep.a2a.RpcRequests.state;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.a2a.server.A2aServer;
import dev.superstep.checkpoint.KeyRing;
import dev.superstep.server.AgentServer;
import dev.superstep.server.options.ServerOptions;
import dev.superstep.server.options.WebhookOptions;
import dev.superstep.service.DocumentKind;
import dev.superstep.service.DocumentQuery;
import dev.superstep.service.EncryptedServiceStore;
import dev.superstep.store.jdbc.SqliteCheckpointer;
import dev.superstep.store.jdbc.SqliteServiceStore;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

@Timeout(60)
final class PushNotificationsTest {
  private static final byte[] SECRET =
      "0123456789abcdef0123456789".getBytes(StandardCharsets.UTF_8);
  private static final String CREATE = "CreateTaskPushNotificationConfig";

  @TempDir Path folder;
  private final DeskFixture fixture = new DeskFixture();
  private final WebhookReceiver receiver;
  private DeskFixture.Running running;
  private RpcRequests rpc;

  PushNotificationsTest() throws Exception {
    receiver = new WebhookReceiver();
  }

  @BeforeEach
  void start() throws Exception {
    start(Set.of("127.0.0.1"));
  }

  private void start(Set<String> networks) throws Exception {
    var secret = "whsec_" + Base64.getEncoder().encodeToString(SECRET);
    var webhooks = WebhookOptions.defaults().withNetworks(networks).withSecrets(List.of(secret));
    var options = ServerOptions.defaults().withWebhooks(webhooks);
    var protocol = A2aServer.protocol().pushNotifications();
    running = fixture.on(folder.resolve("desk.db"), 0, protocol, options);
    rpc = new RpcRequests(running.server().address());
  }

  @AfterEach
  void close() {
    fixture.go.countDown();
    running.close();
    receiver.close();
  }

  private static String config(String fields) {
    return ", \"configuration\": {\"taskPushNotificationConfig\": {%s}}}".formatted(fields);
  }

  /// The parameters of a message with a webhook.
  private static String with(String message, String fields) {
    return message.substring(0, message.length() - 1) + config(fields);
  }

  private static String field(String name, String value) {
    return "\"" + name + "\": \"" + value + "\"";
  }

  private JsonNode sent(String agent, String params) throws Exception {
    return rpc.result(agent, "SendMessage", params).path("task");
  }

  private static String of(JsonNode task, String more) {
    return "{" + field("taskId", task.path("id").asString()) + more + "}";
  }

  @Test
  void a_card_says_that_there_are_push_notifications() throws Exception {
    var can = rpc.get("/a2a/desk/.well-known/agent-card.json").path("capabilities");
    assertThat(can.path("pushNotifications").booleanValue()).isTrue();
  }

  @Test
  void the_end_of_a_task_is_told_with_its_artifacts_and_the_credentials_of_the_client()
      throws Exception {
    var fields =
        field("url", receiver.url("/hook"))
            + ", "
            + field("token", "t-1")
            + ", \"authentication\": {\"scheme\": \"Bearer\", \"credentials\": \"c-1\"}";
    var task = sent("desk", with(said("m1", "find 7", ""), fields));

    var notice = receiver.next();
    assertThat(notice.path()).isEqualTo("/hook");
    assertThat(notice.task().path("id")).isEqualTo(task.path("id"));
    assertThat(notice.task().path("artifacts")).isEqualTo(task.path("artifacts"));
    assertThat(notice.task().has("history")).isFalse();
    assertThat(notice.state()).isEqualTo("COMPLETED");
    assertThat(notice.headers())
        .containsEntry("X-A2A-Notification-Token", "t-1")
        .containsEntry("Authorization", "Bearer c-1")
        .containsEntry("Content-Type", "application/a2a+json");
    assertThat(notice.headers().get("webhook-signature")).isEqualTo("v1," + signature(notice));
  }

  private static String signature(WebhookReceiver.Notice notice) throws Exception {
    var headers = notice.headers();
    var content =
        headers.get("webhook-id") + "." + headers.get("webhook-timestamp") + "." + notice.body();
    var mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(SECRET, "HmacSHA256"));
    return Base64.getEncoder()
        .encodeToString(mac.doFinal(content.getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void a_question_is_told_and_so_is_the_work_after_a_restart() throws Exception {
    var url = field("url", receiver.url("/hook"));
    var task = sent("desk", with(said("m1", "pay 7", ""), url));
    assertThat(receiver.next().state()).isEqualTo("INPUT_REQUIRED");
    running.close();
    start();

    sent("desk", said("m2", "approve", at("", task.path("id").asString())));

    var states = List.of(receiver.next().state(), receiver.next().state());
    assertThat(states).containsExactlyInAnyOrder("WORKING", "COMPLETED");
  }

  @Test
  void a_task_that_is_cancelled_while_it_asks_is_told_once() throws Exception {
    var url = field("url", receiver.url("/hook"));
    var task = sent("labels", with(said("m1", "x", ""), url));
    assertThat(receiver.next().state()).isEqualTo("INPUT_REQUIRED");
    var id = "{" + field("id", task.path("id").asString()) + "}";

    rpc.result("labels", "CancelTask", id);
    rpc.result("labels", "CancelTask", id);

    assertThat(receiver.next().state()).isEqualTo("CANCELED");
    sent("desk", with(said("m2", "hello", ""), url));
    // Not the cancellation again.
    assertThat(receiver.next().state()).isEqualTo("COMPLETED");
  }

  @Test
  void a_task_that_is_cancelled_at_work_and_one_that_fails_are_told() throws Exception {
    var url = field("url", receiver.url("/hook"));
    var soon = "\"returnImmediately\": true, \"taskPushNotificationConfig\": {" + url + "}";
    var message = said("m1", "x", "");
    var params =
        message.substring(0, message.length() - 1) + ", \"configuration\": {" + soon + "}}";
    var task = sent("waiting", params);
    fixture.begun.await();
    rpc.result("waiting", "CancelTask", "{" + field("id", task.path("id").asString()) + "}");
    assertThat(receiver.next().state()).isEqualTo("CANCELED");

    sent("failing", with(said("m2", "x", ""), url));
    var failed = receiver.next();
    assertThat(failed.state()).isEqualTo("FAILED");
    assertThat(failed.body()).contains("Boo!");
  }

  @Test
  void a_webhook_that_comes_after_the_change_hears_how_the_task_stands() throws Exception {
    var task = sent("desk", said("m1", "find 7", ""));

    rpc.result("desk", CREATE, of(task, ", " + field("url", receiver.url("/late"))));

    assertThat(receiver.next().task().path("artifacts")).isEqualTo(task.path("artifacts"));
  }

  @Test
  void webhooks_are_read_replaced_listed_and_deleted() throws Exception {
    var task = sent("desk", said("m1", "pay 7", ""));
    var first =
        rpc.result(
            "desk",
            CREATE,
            of(task, ", " + field("id", "a") + ", " + field("url", receiver.url("/a"))));
    assertThat(first.path("taskId")).isEqualTo(task.path("id"));
    var unnamed = rpc.result("desk", CREATE, of(task, ", " + field("url", receiver.url("/b"))));
    assertThat(unnamed.path("id").asString()).isNotEmpty();
    rpc.result(
        "desk",
        CREATE,
        of(
            task,
            ", "
                + field("id", "a")
                + ", "
                + field("url", receiver.url("/c"))
                + ", "
                + field("token", "t")));

    var a = of(task, ", " + field("id", "a"));
    var read = rpc.result("desk", "GetTaskPushNotificationConfig", a);
    assertThat(read.path("url").asString()).endsWith("/c");
    assertThat(read.path("token").asString()).isEqualTo("t");
    var listed = rpc.result("desk", "ListTaskPushNotificationConfigs", of(task, ""));
    assertThat(listed.path("configs")).hasSize(2).contains(read, unnamed);
    for (int i = 0; i < 3; i++) receiver.next();

    rpc.result("desk", "DeleteTaskPushNotificationConfig", a);
    rpc.result("desk", "DeleteTaskPushNotificationConfig", a);
    assertThat(rpc.error("desk", "GetTaskPushNotificationConfig", a)).isEqualTo(-32001);
    sent("desk", said("m2", "approve", at("", task.path("id").asString())));
    assertThat(receiver.next().path()).isEqualTo("/b");
    assertThat(receiver.next().path()).isEqualTo("/b");
  }

  @Test
  void a_task_has_ten_webhooks_at_the_most() throws Exception {
    var task = sent("desk", said("m1", "pay 7", ""));
    for (int i = 0; i < 10; i++) {
      rpc.result("desk", CREATE, of(task, ", " + field("url", receiver.url("/" + i))));
    }
    var more = of(task, ", " + field("url", receiver.url("/more")));
    assertThat(rpc.answer("desk", CREATE, more).path("error").path("message").asString())
        .contains("10 webhooks");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"url\": \"file:///etc/passwd\"",
        "\"url\": \"https://user:password@example.com\"",
        "\"url\": \"example.com\"",
        "\"url\": 7",
        "\"url\": \"https://example.com\", \"token\": \"a\\r\\nX-Evil: 1\"",
        "\"url\": \"https://example.com\", \"token\": {}",
        "\"url\": \"https://example.com\", \"id\": \"a/b\"",
        "\"url\": \"https://example.com\", \"id\": \"a b\"",
        "\"url\": \"https://example.com\", \"authentication\": {}",
        "\"url\": \"https://example.com\", \"authentication\": {\"scheme\": \"B\\n\"}",
        "\"url\": \"https://example.com\", \"authentication\": \"Bearer\"",
      })
  void what_is_no_webhook_is_refused_before_the_task_begins(String fields) throws Exception {
    assertThat(rpc.error("desk", "SendMessage", with(said("m1", "hello", ""), fields)))
        .isEqualTo(-32602);
    assertThat(fixture.asked).hasValue(0);
  }

  @Test
  void a_private_address_is_never_called() throws Exception {
    running.close();
    start(Set.of());

    sent("desk", with(said("m1", "find 7", ""), field("url", receiver.url("/inside"))));

    var failed = DocumentQuery.of(DocumentKind.DELIVERY).in("failed");
    var all = new ArrayList<String>();
    while (all.isEmpty()) {
      try (var watch = running.documents().watch("deliveries")) {
        running
            .documents()
            .read(in -> in.search(failed))
            .forEach(one -> all.add(one.body().text()));
        if (all.isEmpty()) watch.await(java.time.Duration.ofMillis(50));
      }
    }
    assertThat(all.getFirst()).contains("127.0.0.1").doesNotContain("headers");
    assertThat(receiver.isEmpty()).isTrue();
  }

  @Test
  void secrets_are_in_no_answer_but_that_of_the_config_and_go_with_the_thread() throws Exception {
    var fields = field("url", receiver.url("/hook")) + ", " + field("token", "very-secret");
    var task = sent("desk", with(said("m1", "hello", ""), fields));
    receiver.next();
    var context = task.path("contextId").asString();

    for (var path : List.of("/threads/" + context, "/threads/" + context + "/runs")) {
      assertThat(rpc.get(path).toString()).contains(context).doesNotContain("very-secret");
    }
    assertThat(state(task)).isEqualTo("COMPLETED");
    assertThat(rpc.delete("/threads/" + context)).isEqualTo(204);
    var left = DocumentQuery.of(DocumentKind.SUBSCRIPTION);
    assertThat(running.documents().<Long>read(in -> in.count(left))).isZero();
  }

  @Test
  void nothing_of_a_deleted_thread_is_sent_again() throws Exception {
    receiver.answer(503);
    var fields = field("url", receiver.url("/hook")) + ", " + field("token", "very-secret");
    var task = sent("desk", with(said("m1", "find 7", ""), fields));
    receiver.next();
    assertThat(rpc.delete("/threads/" + task.path("contextId").asString())).isEqualTo(204);
    var left = DocumentQuery.of(DocumentKind.DELIVERY);
    assertThat(running.documents().<Long>read(in -> in.count(left))).isZero();
  }

  @Test
  void a_receiver_that_fails_is_called_again_by_another_server() throws Exception {
    receiver.answer(503);
    var fields = field("url", receiver.url("/hook")) + ", " + field("token", "t-1");
    sent("desk", with(said("m1", "find 7", ""), fields));
    var first = receiver.next();
    running.close();
    receiver.answer(204);
    start();

    var second = receiver.next();

    assertThat(second.state()).isEqualTo("COMPLETED");
    assertThat(second.headers()).containsEntry("X-A2A-Notification-Token", "t-1");
    // By which a receiver knows that it is the same one.
    assertThat(second.headers().get("webhook-id")).isEqualTo(first.headers().get("webhook-id"));
  }

  @Test
  void an_encrypted_store_keeps_the_secrets_of_webhooks_sealed() throws Exception {
    running.close();
    var file = folder.resolve("sealed.db");
    var webhooks = WebhookOptions.defaults().withNetworks(Set.of("127.0.0.1"));
    try (var threads = SqliteCheckpointer.open(file);
        var plain = SqliteServiceStore.open(file);
        var documents = EncryptedServiceStore.over(plain, KeyRing.of("k", new byte[32]));
        var server =
            AgentServer.on(threads, documents)
                .serving(fixture.served())
                .extension(A2aServer.protocol().pushNotifications())
                .options(ServerOptions.defaults().withWebhooks(webhooks))
                .start(0)) {
      rpc = new RpcRequests(server.address());
      var fields = field("url", receiver.url("/hook")) + ", " + field("token", "very-secret");
      var task = sent("desk", with(said("m1", "pay 7", ""), fields));
      assertThat(receiver.next().state()).isEqualTo("INPUT_REQUIRED");

      var kept = plain.read(in -> in.search(DocumentQuery.of(DocumentKind.SUBSCRIPTION)));
      assertThat(kept).hasSize(1);
      assertThat(kept.getFirst().body().text()).doesNotContain("very-secret", "hook");
      sent("desk", said("m2", "approve", at("", task.path("id").asString())));
      assertThat(receiver.next().headers())
          .containsEntry("X-A2A-Notification-Token", "very-secret");
    }
  }
}
