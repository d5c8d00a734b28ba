package dev.superstep.server.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import dev.superstep.server.internal.http.Dispatcher;
import dev.superstep.server.internal.http.HttpFailure;
import dev.superstep.server.internal.http.JettyServer;
import dev.superstep.server.internal.http.Reply;
import dev.superstep.server.internal.http.Routes;
import dev.superstep.server.log.RequestLog;
import dev.superstep.server.options.ServerOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/// Tokens of an issuer, made with its real keys.
@Tag("SV3")
final class JwtAuthenticatorTest {
  private static final String ISSUER = "https://login.example.com";
  private static final RSAKey KEY = key("one");
  private static final RSAKey OTHER = key("two");

  private final JwtAuthenticator known = JwtAuthenticator.ofKeys(set(KEY), ISSUER, "agents");

  private static RSAKey key(String id) {
    try {
      return new RSAKeyGenerator(2_048).keyID(id).generate();
    } catch (JOSEException e) {
      throw new AssertionError(e);
    }
  }

  private static String set(RSAKey... keys) {
    return new JWKSet(List.<com.nimbusds.jose.jwk.JWK>of(keys)).toString(true);
  }

  private static JWTClaimsSet.Builder claims() {
    return new JWTClaimsSet.Builder()
        .issuer(ISSUER)
        .audience("agents")
        .subject("ann")
        .expirationTime(in(Duration.ofMinutes(5)));
  }

  private static Date in(Duration time) {
    return Date.from(Instant.now().plus(time));
  }

  private static String signed(JWTClaimsSet claims, RSAKey key) {
    try {
      var header =
          new JWSHeader.Builder(JWSAlgorithm.RS256)
              .type(JOSEObjectType.JWT)
              .keyID(key.getKeyID())
              .build();
      var token = new SignedJWT(header, claims);
      token.sign(new RSASSASigner(key));
      return token.serialize();
    } catch (JOSEException e) {
      throw new AssertionError(e);
    }
  }

  private static Optional<Principal> ask(Authenticator by, String token) {
    return by.authenticate(
        name -> Optional.of("Bearer " + token).filter(_ -> name.equals("authorization")));
  }

  @Test
  void a_token_of_the_issuer_shows_its_subject_permissions_and_claims() {
    var token =
        signed(
            claims()
                .claim("scope", "threads:read threads:create")
                .claim("permissions", List.of("admin"))
                .claim("tenant", "acme")
                .claim("mail", "ann@example.com")
                .build(),
            KEY);

    assertThat(ask(known.withClaims("tenant"), token))
        .hasValue(
            new Principal(
                "ann",
                Set.of("threads:read", "threads:create", "admin"),
                Map.of("tenant", "acme")));
  }

  @Test
  void tokens_that_are_not_for_this_server_show_nobody() throws Exception {
    assertThat(ask(known, signed(claims().build(), KEY))).isPresent();

    assertThat(ask(known, signed(claims().issuer("https://evil").build(), KEY))).isEmpty();
    assertThat(ask(known, signed(claims().audience("other").build(), KEY))).isEmpty();
    assertThat(ask(known, signed(claims().subject(null).build(), KEY))).isEmpty();
    assertThat(ask(known, signed(claims().expirationTime(null).build(), KEY))).isEmpty();
    assertThat(ask(known, signed(claims().build(), OTHER))).isEmpty();
    assertThat(ask(known, new PlainJWT(claims().build()).serialize())).isEmpty();
    assertThat(ask(known, "no.token.atall")).isEmpty();
    assertThat(known.authenticate(_ -> Optional.empty())).isEmpty();
  }

  @Test
  void a_changed_token_and_one_signed_with_the_public_key_as_a_secret_show_nobody()
      throws Exception {
    var parts = signed(claims().build(), KEY).split("\\.");
    var other = signed(claims().subject("root").build(), KEY).split("\\.");
    assertThat(ask(known, parts[0] + "." + other[1] + "." + parts[2])).isEmpty();

    var confused = new SignedJWT(new JWSHeader(JWSAlgorithm.HS256), claims().build());
    confused.sign(new MACSigner(KEY.toRSAPublicKey().getEncoded()));
    assertThat(ask(known, confused.serialize())).isEmpty();
  }

  @Test
  void clocks_may_differ_by_the_skew_only() {
    var justOver = signed(claims().expirationTime(in(Duration.ofSeconds(-5))).build(), KEY);
    var longOver = signed(claims().expirationTime(in(Duration.ofMinutes(-2))).build(), KEY);
    var notYet = signed(claims().notBeforeTime(in(Duration.ofMinutes(2))).build(), KEY);

    assertThat(ask(known, justOver)).isPresent();
    assertThat(ask(known.withSkew(Duration.ZERO), justOver)).isEmpty();
    assertThat(ask(known, longOver)).isEmpty();
    assertThat(ask(known, notYet)).isEmpty();
    assertThat(ask(known.withSkew(Duration.ofMinutes(3)), longOver)).isPresent();
  }

  @Test
  void only_the_listed_algorithms_count() {
    var token = signed(claims().build(), KEY);

    assertThat(ask(known.withAlgorithms("ES256"), token)).isEmpty();
    assertThat(ask(known.withAlgorithms("ES256", "RS256"), token)).isPresent();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> known.withAlgorithms("none"))
        .withMessageContaining("`none`");
    assertThatIllegalArgumentException().isThrownBy(() -> known.withAlgorithms("HS256"));
  }

  /// An issuer on this machine.
  private static final class Issuer implements AutoCloseable {
    final AtomicReference<String> keys = new AtomicReference<>(set(KEY));
    final AtomicReference<String> name = new AtomicReference<>("");
    final AtomicInteger asked = new AtomicInteger();
    private final JettyServer server;

    Issuer() throws IOException {
      var routes =
          new Routes()
              .open("GET", "/.well-known/openid-configuration", _ -> configuration())
              .open("GET", "/keys", _ -> keys());
      server =
          JettyServer.start(
              new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
              ServerOptions.defaults().http(),
              new Dispatcher(
                  routes,
                  Authenticator.nobody(),
                  ServerOptions.defaults(),
                  true,
                  RequestLog.none()));
      name.set(address().toString());
    }

    URI address() {
      return URI.create("http://127.0.0.1:" + server.port());
    }

    private Reply configuration() {
      var text = "{\"issuer\":\"" + name.get() + "\",\"jwks_uri\":\"" + address() + "/keys\"}";
      return Reply.ok(new JsonMapper().readTree(text));
    }

    private Reply keys() {
      asked.incrementAndGet();
      if (keys.get().isEmpty()) throw new HttpFailure(500, "down");
      return Reply.ok(new JsonMapper().readTree(keys.get()));
    }

    String token(RSAKey key) {
      return signed(claims().issuer(address().toString()).build(), key);
    }

    @Override
    public void close() {
      server.close();
    }
  }

  @Test
  void an_issuer_is_discovered_and_asked_for_its_keys_once() throws Exception {
    try (var issuer = new Issuer()) {
      var discovered = JwtAuthenticator.discover(issuer.address(), "agents");

      for (int i = 0; i < 5; i++) assertThat(ask(discovered, issuer.token(KEY))).isPresent();
      assertThat(issuer.asked).hasValue(1);
    }
  }

  @Test
  void a_new_key_of_the_issuer_counts_at_once() throws Exception {
    try (var issuer = new Issuer()) {
      var discovered = JwtAuthenticator.discover(issuer.address(), "agents");
      assertThat(ask(discovered, issuer.token(KEY))).isPresent();

      issuer.keys.set(set(KEY, OTHER));
      assertThat(ask(discovered, issuer.token(OTHER))).isPresent();
    }
  }

  @Test
  void tokens_with_invented_keys_do_not_make_the_issuer_be_asked_each_time() throws Exception {
    try (var issuer = new Issuer()) {
      var discovered = JwtAuthenticator.discover(issuer.address(), "agents");

      for (int i = 0; i < 20; i++) {
        assertThat(ask(discovered, issuer.token(OTHER))).isEmpty();
      }
      assertThat(issuer.asked.get()).isBetween(1, 3);
      assertThat(ask(discovered, issuer.token(KEY))).isPresent();
    }
  }

  @Test
  void an_issuer_that_does_not_answer_is_no_reason_to_refuse_its_people() throws Exception {
    try (var issuer = new Issuer()) {
      var discovered = JwtAuthenticator.discover(issuer.address(), "agents");
      issuer.keys.set("");

      assertThatExceptionOfType(AuthenticatorUnavailable.class)
          .isThrownBy(() -> ask(discovered, issuer.token(KEY)));
    }
  }

  @Test
  void an_issuer_must_say_its_own_name_and_be_asked_safely() throws Exception {
    try (var issuer = new Issuer()) {
      issuer.name.set("https://evil.example.com");
      assertThatExceptionOfType(IOException.class)
          .isThrownBy(() -> JwtAuthenticator.discover(issuer.address(), "agents"))
          .withMessageContaining("another issuer");
    }
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> JwtAuthenticator.ofKeys(URI.create("http://192.0.2.1/keys"), ISSUER, "agents"))
        .withMessageContaining("https://");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> JwtAuthenticator.ofKeys(URI.create("file:///etc/passwd"), ISSUER, "agents"));
  }
}
