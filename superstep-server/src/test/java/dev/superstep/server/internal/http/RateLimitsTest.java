package dev.superstep.server.internal.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.server.options.HttpLimits;
import dev.superstep.server.options.ServerOptions;
import dev.superstep.server.security.Authenticator;
import dev.superstep.server.security.Principal;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("SV5")
final class RateLimitsTest {
  @Test
  void a_burst_is_taken_then_as_many_as_the_rate_says() {
    var time = new AtomicLong();
    var rates = new RateLimits(2, 5, time::get);

    for (int i = 0; i < 5; i++) assertThat(rates.secondsToWait("ann")).isZero();
    assertThat(rates.secondsToWait("ann")).isEqualTo(1);
    assertThat(rates.secondsToWait("bob")).isZero();
    time.addAndGet(Duration.ofMillis(500).toNanos());
    assertThat(rates.secondsToWait("ann")).isZero();
    assertThat(rates.secondsToWait("ann")).isEqualTo(1);
    time.addAndGet(Duration.ofHours(1).toNanos());
    for (int i = 0; i < 5; i++) assertThat(rates.secondsToWait("ann")).isZero();
    assertThat(rates.secondsToWait("ann")).isEqualTo(1);
  }

  @Test
  void a_client_over_its_rate_gets_429_with_the_time_to_wait() throws Exception {
    var routes =
        new Routes()
            .on("GET", "/thing", _ -> Reply.nothing())
            .open("GET", "/ok", _ -> Reply.nothing());
    var limits = HttpLimits.defaults().withRequestsPerSecond(1);
    try (var server = RunningServer.of(routes, limits)) {
      var answer = server.get("/thing");
      for (int i = 0; i < 100 && answer.statusCode() == 204; i++) answer = server.get("/thing");

      assertThat(answer.statusCode()).isEqualTo(429);
      assertThat(answer.headers().firstValue("retry-after")).hasValue("1");
      assertThat(server.get("/ok").statusCode()).isEqualTo(204);
    }
  }

  @Test
  void who_shows_no_principal_gets_401_and_only_open_paths() throws Exception {
    Authenticator ann =
        credentials ->
            credentials
                .header("x-api-key")
                .filter("secret"::equals)
                .map(_ -> new Principal("ann", Set.of(), Map.of()));
    var routes =
        new Routes()
            .on("GET", "/thing", _ -> Reply.nothing())
            .open("GET", "/ok", _ -> Reply.nothing());
    try (var server = RunningServer.of(routes, ServerOptions.defaults(), ann)) {
      var without = server.get("/thing");
      assertThat(without.statusCode()).isEqualTo(401);
      assertThat(without.headers().firstValue("www-authenticate")).hasValue("Bearer");
      assertThat(server.get("/thing", "X-Api-Key", "other").statusCode()).isEqualTo(401);
      assertThat(server.get("/ok").statusCode()).isEqualTo(204);
      server.served.clear();
      assertThat(server.get("/thing", "X-Api-Key", "secret").statusCode()).isEqualTo(204);
      assertThat(server.nextServed().principal()).isEqualTo("ann");
    }
  }
}
