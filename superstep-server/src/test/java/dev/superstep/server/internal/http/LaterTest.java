package dev.superstep.server.internal.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.StoreFailed;
import dev.superstep.server.options.HttpLimits;
import dev.superstep.server.options.ServerOptions;
import dev.superstep.server.security.AuthenticatorUnavailable;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Refusals that are over after a while: each says when to come again.
@Tag("SV5")
final class LaterTest {
  private static void saysWhen(HttpResponse<String> answer, int status) {
    assertThat(answer.statusCode()).isEqualTo(status);
    assertThat(Long.parseLong(answer.headers().firstValue("retry-after").orElseThrow()))
        .isPositive();
    assertThat(answer.headers().firstValue("content-type")).hasValue("application/json");
    assertThat(answer.body()).startsWith("{\"detail\":");
  }

  @Test
  void a_server_that_ends_a_store_that_is_gone_and_quotas_say_when_to_come_again()
      throws Exception {
    var routes =
        new Routes()
            .on(
                "GET",
                "/stopping",
                _ -> {
                  throw new InterruptedException();
                })
            .on(
                "GET",
                "/store",
                _ -> {
                  throw new StoreFailed("the file", "it is gone", new java.io.IOException());
                })
            .on(
                "GET",
                "/quota",
                _ -> {
                  throw new HttpFailure(429, "Too many.");
                })
            .on(
                "GET",
                "/told",
                _ -> {
                  throw new HttpFailure(503, "Soon.").with("Retry-After", "77");
                });
    try (var server = RunningServer.of(routes)) {
      saysWhen(server.get("/stopping"), 503);
      saysWhen(server.get("/store"), 503);
      saysWhen(server.get("/quota"), 429);
      assertThat(server.get("/told").headers().firstValue("retry-after")).hasValue("77");
    }
  }

  @Test
  void an_issuer_that_does_not_answer_is_asked_again_later() throws Exception {
    var routes = new Routes().on("GET", "/thing", _ -> Reply.nothing());
    try (var server =
        RunningServer.of(
            routes,
            ServerOptions.defaults(),
            _ -> {
              throw new AuthenticatorUnavailable("gone", new java.io.IOException());
            })) {
      saysWhen(server.get("/thing"), 503);
    }
  }

  @Test
  void a_client_that_sends_too_much_is_told_how_long_to_wait() throws Exception {
    var routes = new Routes().on("GET", "/thing", _ -> Reply.nothing());
    var slow = HttpLimits.defaults().withRequestsPerSecond(1);
    try (var server = RunningServer.of(routes, slow)) {
      var answer = server.get("/thing");
      for (int i = 0; i < 30 && answer.statusCode() == 204; i++) answer = server.get("/thing");
      saysWhen(answer, 429);
    }
  }
}
