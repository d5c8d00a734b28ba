package dev.superstep.credential;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class TokenExchangeTest {
  private static final CredentialRequest REQUEST =
      new CredentialRequest(new RunPrincipal("ada"), "mail", List.of("mail.read", "mail.send"));

  private record Told(int status, String body) {}

  private final List<String> forms = Collections.synchronizedList(new ArrayList<>());
  private final List<String> clients = Collections.synchronizedList(new ArrayList<>());
  private final AtomicReference<Told> answer =
      new AtomicReference<>(new Told(200, "{\"access_token\":\"new-token\",\"expires_in\":3600}"));
  private final CountDownLatch open = new CountDownLatch(1);
  private HttpServer server;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext(
        "/token",
        exchange -> {
          forms.add(new String(exchange.getRequestBody().readAllBytes(), UTF_8));
          clients.add(String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")));
          try {
            open.await();
          } catch (InterruptedException e) {
            throw new IOException(e);
          }
          var told = answer.get();
          var bytes = told.body().getBytes(UTF_8);
          exchange.sendResponseHeaders(told.status(), bytes.length);
          exchange.getResponseBody().write(bytes);
          exchange.close();
        });
    server.start();
  }

  @AfterEach
  void stop() {
    open.countDown();
    server.stop(0);
  }

  private TokenExchange exchange() {
    return TokenExchange.at(
            URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/token"))
        .client("desk", () -> "c/s")
        .subjects(who -> Optional.of("subject of " + who.id()));
  }

  @Test
  void the_token_of_a_person_becomes_one_for_the_service() throws Exception {
    open.countDown();
    var granted = (CredentialAnswer.Granted) exchange().credential(REQUEST);
    assertThat(granted.credential().secret()).isEqualTo("new-token");
    assertThat(granted.credential().expires().orElseThrow())
        .isBetween(Instant.now().plusSeconds(3500), Instant.now().plusSeconds(3600));
    assertThat(URLDecoder.decode(forms.getFirst(), UTF_8))
        .contains("grant_type=urn:ietf:params:oauth:grant-type:token-exchange")
        .contains("subject_token=subject of ada")
        .contains("audience=mail")
        .contains("scope=mail.read mail.send");
    assertThat(clients).containsExactly("Basic ZGVzazpjJTJGcw==");
  }

  @Test
  void a_token_that_lasts_longer_than_clocks_count_is_taken() throws Exception {
    open.countDown();
    answer.set(new Told(200, "{\"access_token\":\"t\",\"expires_in\":9223372036854775807}"));
    assertThat(exchange().credential(REQUEST)).isInstanceOf(CredentialAnswer.Granted.class);
  }

  @Test
  void many_who_need_the_same_token_at_once_exchange_once() throws Exception {
    var provider = exchange().cached();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var all = new ArrayList<Future<CredentialAnswer>>();
      for (int i = 0; i < 20; i++) all.add(threads.submit(() -> provider.credential(REQUEST)));
      open.countDown();
      for (var one : all) {
        assertThat(((CredentialAnswer.Granted) one.get()).credential().secret())
            .isEqualTo("new-token");
      }
    }
    assertThat(forms).hasSize(1);
    var other = new CredentialRequest(new RunPrincipal("bob"), "mail", REQUEST.scopes());
    assertThat(provider.credential(other)).isInstanceOf(CredentialAnswer.Granted.class);
    assertThat(forms).hasSize(2);
  }

  @Test
  void a_token_is_given_again_until_shortly_before_it_ends_and_not_after_it_was_rejected()
      throws Exception {
    open.countDown();
    var now = new AtomicReference<>(Instant.now());
    var provider = new CachedCredentials(exchange(), now::get);
    var first = ((CredentialAnswer.Granted) provider.credential(REQUEST)).credential();
    provider.credential(REQUEST);
    assertThat(forms).hasSize(1);
    provider.reject(REQUEST, first);
    provider.credential(REQUEST);
    assertThat(forms).hasSize(2);
    answer.set(new Told(200, "{\"access_token\":\"short\",\"expires_in\":90}"));
    now.updateAndGet(time -> time.plus(Duration.ofHours(1)));
    var later = ((CredentialAnswer.Granted) provider.credential(REQUEST)).credential();
    assertThat(later.secret()).isEqualTo("short");
    assertThat(forms).hasSize(3);
  }

  @Test
  void
      a_person_who_has_to_sign_in_again_is_asked_and_any_other_refusal_is_an_error_without_the_token()
          throws Exception {
    open.countDown();
    answer.set(new Told(400, "{\"error\":\"invalid_grant\"}"));
    assertThat(exchange().credential(REQUEST))
        .isEqualTo(new CredentialAnswer.ConsentNeeded(ConsentReason.EXPIRED, Optional.empty()));
    assertThat(exchange().subjects(_ -> Optional.empty()).credential(REQUEST))
        .isEqualTo(new CredentialAnswer.ConsentNeeded(ConsentReason.MISSING, Optional.empty()));
    answer.set(
        new Told(400, "{\"error\":\"invalid_target\",\"error_description\":\"subject of ada\"}"));
    assertThatThrownBy(() -> exchange().credential(REQUEST))
        .isInstanceOf(CredentialFailed.class)
        .hasMessageContaining("`invalid_target`")
        .hasMessageNotContaining("subject of ada");
    answer.set(new Told(500, "<html>"));
    assertThatThrownBy(() -> exchange().credential(REQUEST))
        .isInstanceOf(CredentialFailed.class)
        .hasMessageContaining("status 500");
  }

  /// A server that sends a letter now and then never exceeds a limit on its headers or on silence.
  @Test
  void an_answer_that_drips_or_never_ends_is_given_up() throws Exception {
    var isHungUp = new CountDownLatch(1);
    server.createContext(
        "/drips",
        exchange -> {
          exchange.sendResponseHeaders(200, 0);
          try {
            for (int i = 0; i < 2_000; i++) {
              exchange.getResponseBody().write(' ');
              exchange.getResponseBody().flush();
              Thread.sleep(5);
            }
          } catch (IOException | InterruptedException e) {
            isHungUp.countDown();
          }
        });
    server.createContext(
        "/floods",
        exchange -> {
          exchange.sendResponseHeaders(200, 0);
          var piece = new byte[100_000];
          try {
            for (int i = 0; i < 1_000; i++) exchange.getResponseBody().write(piece);
          } catch (IOException e) {
            isHungUp.countDown();
          }
        });
    for (var path : List.of("/drips", "/floods")) {
      var address = "http://127.0.0.1:" + server.getAddress().getPort() + path;
      var exchange =
          TokenExchange.at(URI.create(address))
              .subjects(_ -> Optional.of("s"))
              .timeout(path.equals("/drips") ? Duration.ofMillis(300) : Duration.ofSeconds(20));
      assertThatThrownBy(() -> exchange.credential(REQUEST))
          .isInstanceOf(CredentialFailed.class)
          .hasMessageContaining(
              path.equals("/drips") ? "did not answer within 300 ms" : "more than it may");
    }
    assertThat(isHungUp.await(30, TimeUnit.SECONDS)).isTrue();
    assertThatThrownBy(() -> exchange().timeout(Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(exchange()).hasToString("TokenExchange[127.0.0.1]");
  }

  /// Fails once as many callers wait for it as there are.
  private static final class FailingProvider implements CredentialProvider {
    private final AtomicInteger asked = new AtomicInteger();
    private final CountDownLatch mayEnd = new CountDownLatch(1);
    private final CountDownLatch isAsked = new CountDownLatch(1);
    private final RuntimeException failure;

    FailingProvider(RuntimeException failure) {
      this.failure = failure;
    }

    @Override
    public CredentialAnswer credential(CredentialRequest request) throws InterruptedException {
      asked.incrementAndGet();
      isAsked.countDown();
      mayEnd.await();
      throw failure;
    }
  }

  private static void awaitWaiting(List<Thread> threads) {
    for (var thread : threads) {
      while (thread.getState() != Thread.State.WAITING) Thread.onSpinWait();
    }
  }

  @Test
  void those_who_wait_for_a_look_up_share_its_failure() throws Exception {
    var failing = new FailingProvider(new CredentialFailed("mail", "Down.", null));
    var provider = failing.cached();
    var failures = Collections.synchronizedList(new ArrayList<Throwable>());
    var threads = new ArrayList<Thread>();
    for (int i = 0; i < 20; i++) {
      threads.add(
          Thread.ofVirtual()
              .start(() -> {
                try {
                  provider.credential(REQUEST);
                } catch (CredentialFailed | InterruptedException e) {
                  failures.add(e);
                }
              }));
    }
    awaitWaiting(threads);
    failing.mayEnd.countDown();
    for (var thread : threads) thread.join();
    assertThat(failing.asked).hasValue(1);
    assertThat(failures)
        .hasSize(20)
        .allSatisfy(
            e -> assertThat(e).isInstanceOf(CredentialFailed.class).hasMessageContaining("Down."))
        .doesNotHaveDuplicates();
    // Nobody waits any more, so the next one asks.
    assertThatThrownBy(() -> provider.credential(REQUEST)).isInstanceOf(CredentialFailed.class);
    assertThat(failing.asked).hasValue(2);
  }

  @Test
  void a_caller_that_is_cancelled_does_not_cancel_those_who_wait_for_it() throws Exception {
    var asked = new AtomicInteger();
    var isAsked = new CountDownLatch(1);
    CredentialProvider slow =
        _ -> {
          if (asked.incrementAndGet() > 1) {
            return new CredentialAnswer.Granted(Credential.of("token"));
          }
          isAsked.countDown();
          new CountDownLatch(1).await();
          throw new AssertionError();
        };
    var provider = slow.cached();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var first = threads.submit(() -> provider.credential(REQUEST));
      isAsked.await();
      var answer = new FutureTask<>(() -> provider.credential(REQUEST));
      var waiting = Thread.ofVirtual().start(answer);
      awaitWaiting(List.of(waiting));
      first.cancel(true);
      assertThat(answer.get()).isInstanceOf(CredentialAnswer.Granted.class);
    }
    assertThat(asked).hasValue(2);
  }

  @Test
  void tokens_are_not_sent_in_the_clear() {
    assertThatThrownBy(() -> TokenExchange.at(URI.create("http://login.example/token")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("in the clear");
  }
}
