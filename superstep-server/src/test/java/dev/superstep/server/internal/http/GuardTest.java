package dev.superstep.server.internal.http;

import static dev.superstep.server.security.Access.Action.CREATE;
import static dev.superstep.server.security.Access.Action.READ;
import static dev.superstep.server.security.Access.Resource.THREADS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.json.Json;
import dev.superstep.server.log.AuditLog;
import dev.superstep.server.log.RequestLog;
import dev.superstep.server.log.ServerListener;
import dev.superstep.server.options.ServerOptions;
import dev.superstep.server.security.Access;
import dev.superstep.server.security.ApiKeys;
import dev.superstep.server.security.Authorizer;
import dev.superstep.server.security.Authorizer.Decision;
import dev.superstep.store.Namespace;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Grants and refusals, and the logs that tell of them.
@Tag("SV4")
final class GuardTest {
  private static final JsonMapper JSON = new JsonMapper();
  private static final String ANN = "ann-has-a-long-key";
  private static final String WRONG = "nobody-has-this-key";

  private static final Authorizer OWN_THREADS =
      (who, what) ->
          what.action() == READ
              ? new Decision.Denied("You may not read.")
              : new Decision.Allowed(
                  Optional.of(Json.parse("{\"owner\":\"" + who.id() + "\"}")),
                  Optional.of(Namespace.of("of", who.id())));

  private static JsonNode json(String text) {
    return JSON.readTree(text);
  }

  @Test
  void what_is_made_gets_the_mark_of_its_maker_which_wins_over_what_the_client_says() {
    var granted = Granted.of(Optional.of(Json.parse("{\"owner\":\"ann\"}")), Optional.empty());

    assertThat(granted.mark(json("{\"owner\":\"bob\",\"topic\":1}")))
        .isEqualTo(json("{\"owner\":\"ann\",\"topic\":1}"));
    assertThat(granted.mark(json("null"))).isEqualTo(json("{\"owner\":\"ann\"}"));
    assertThat(granted.sees(json("{\"owner\":\"ann\",\"topic\":1}"))).isTrue();
    assertThat(granted.sees(json("{\"owner\":\"bob\"}"))).isFalse();
    assertThat(granted.sees(json("{}"))).isFalse();
    assertThat(Granted.ALL.sees(json("{}"))).isTrue();
  }

  @Test
  void a_namespace_stands_for_the_whole_store() {
    var granted = Granted.of(Optional.empty(), Optional.of(Namespace.of("of", "ann")));

    assertThat(granted.whole(Namespace.of("notes"))).isEqualTo(Namespace.of("of", "ann", "notes"));
    assertThat(granted.whole(Namespace.root())).isEqualTo(Namespace.of("of", "ann"));
    assertThat(granted.asGiven(Namespace.of("of", "ann", "notes")))
        .isEqualTo(Namespace.of("notes"));
  }

  @Test
  @Tag("SV7")
  void the_logs_tell_who_did_what_and_who_was_refused_but_no_key_and_no_body(@TempDir Path folder)
      throws Exception {
    var audit = folder.resolve("audit.jsonl");
    var requests = folder.resolve("requests.jsonl");
    var routes = guarded(new Guard(OWN_THREADS, AuditLog.toFile(audit)));
    var dispatcher =
        new Dispatcher(
            routes,
            ApiKeys.parse("ann " + ANN),
            ServerOptions.defaults(),
            true,
            new Dispatcher.Observers(
                RequestLog.toFile(requests), AuditLog.toFile(audit), ServerListener.none()));
    var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    try (var server = JettyServer.start(address, ServerOptions.defaults().http(), dispatcher);
        var client = HttpClient.newHttpClient()) {
      var base = "http://127.0.0.1:" + server.port() + "/threads";
      var made =
          client.send(
              HttpRequest.newBuilder(URI.create(base + "?token=in-the-query"))
                  .header("x-api-key", ANN)
                  .POST(HttpRequest.BodyPublishers.ofString("{\"text\":\"in-the-body\"}"))
                  .build(),
              HttpResponse.BodyHandlers.ofString());
      assertThat(json(made.body())).isEqualTo(json("{\"text\":\"in-the-body\",\"owner\":\"ann\"}"));
      var read =
          client.send(
              HttpRequest.newBuilder(URI.create(base + "/1")).header("x-api-key", ANN).build(),
              HttpResponse.BodyHandlers.ofString());
      assertThat(read.statusCode()).isEqualTo(403);
      assertThat(read.body()).isEqualTo("{\"detail\":\"You may not read.\"}");
      var wrong =
          client.send(
              HttpRequest.newBuilder(URI.create(base + "/2?token=in-the-query"))
                  .header("x-api-key", WRONG)
                  .build(),
              HttpResponse.BodyHandlers.ofString());
      assertThat(wrong.statusCode()).isEqualTo(401);
    }

    var lines = Files.readAllLines(audit).stream().map(GuardTest::json).toList();
    assertThat(texts(lines, "what"))
        .containsExactly("threads:create", "threads:read", "authenticate");
    assertThat(texts(lines, "allowed")).containsExactly("true", "false", "false");
    assertThat(texts(lines, "who")).containsExactly("ann", "ann", "");
    var served = Files.readAllLines(requests).stream().map(GuardTest::json).toList();
    assertThat(texts(served, "status")).containsExactly("200", "403", "401");
    assertThat(texts(served, "route"))
        .containsExactly("/threads", "/threads/{thread}", "/threads/{thread}");
    assertThat(texts(served, "request")).isEqualTo(texts(lines, "request"));
    assertThat(Files.readString(audit) + Files.readString(requests))
        .doesNotContain(ANN)
        .doesNotContain(WRONG)
        .doesNotContain("in-the-body")
        .doesNotContain("in-the-query");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(audit)))
        .isEqualTo("rw-------");
  }

  private static List<String> texts(List<JsonNode> lines, String field) {
    return lines.stream().map(line -> line.get(field).asString()).toList();
  }

  /// Makes a thread, which everybody may, and reads one, which nobody may.
  private static Routes guarded(Guard guard) {
    return new Routes()
        .on(
            "POST",
            "/threads",
            call ->
                Reply.ok(
                    guard
                        .check(call, new Access(THREADS, CREATE, Json.ofNull()))
                        .mark(call.body())))
        .on(
            "GET",
            "/threads/{thread}",
            call -> {
              guard.check(call, new Access(THREADS, READ, Json.ofNull()));
              return Reply.nothing();
            });
  }
}
