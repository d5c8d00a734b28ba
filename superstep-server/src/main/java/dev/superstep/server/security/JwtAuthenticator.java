package dev.superstep.server.security;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.KeySourceException;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.source.ImmutableJWKSet;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.jwk.source.JWKSourceBuilder;
import com.nimbusds.jose.jwk.source.RateLimitReachedException;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jose.proc.DefaultJOSEObjectTypeVerifier;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jose.util.DefaultResourceRetriever;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.nimbusds.jwt.proc.DefaultJWTClaimsVerifier;
import com.nimbusds.jwt.proc.DefaultJWTProcessor;
import java.io.IOException;
import java.net.InetAddress;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.text.ParseException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/// Knows principals by signed tokens (JWT) of an issuer, as `Authorization: Bearer TOKEN`. A token
/// must have the issuer, the audience, a subject and a time until which it is valid. Immutable.
///
/// ```java
/// JwtAuthenticator.discover(URI.create("https://login.example.com"), "agents")
///     .withClaims("tenant")
/// ```
///
/// The permissions of a principal are those of the claims `scope` and `permissions`.
public final class JwtAuthenticator implements Authenticator {
  private static final Set<String> ALGORITHMS = Set.of("RS256", "PS256", "ES256");
  private static final Duration SKEW = Duration.ofSeconds(30);
  private static final int ANSWER_MILLIS = 5_000;
  private static final int ANSWER_BYTES_MAX = 512 * 1024;
  private static final long KEYS_MILLIS = Duration.ofMinutes(5).toMillis();
  private static final List<String> PERMISSIONS = List.of("scope", "permissions");

  private final JWKSource<SecurityContext> keys;
  private final Rules rules;
  private final DefaultJWTProcessor<SecurityContext> processor;

  /// The things that a token must have, and what is taken from it.
  private record Rules(
      String issuer, String audience, Set<String> algorithms, Duration skew, Set<String> claims) {}

  private JwtAuthenticator(JWKSource<SecurityContext> keys, Rules rules) {
    this.keys = keys;
    this.rules = rules;
    this.processor = processor(keys, rules);
  }

  /// Takes tokens of an issuer that can be asked for its keys (OpenID Connect Discovery). Asks it
  /// now for their place, and for the keys when they are needed.
  ///
  /// @param audience that tokens must be made for
  /// @throws IOException if it does not answer properly
  public static JwtAuthenticator discover(URI issuer, String audience) throws IOException {
    var text = issuer.toString();
    var base = text.endsWith("/") ? text.substring(0, text.length() - 1) : text;
    var place = URI.create(base + "/.well-known/openid-configuration");
    var found = retriever().retrieveResource(url(place)).getContent();
    try {
      var configuration = new JsonMapper().readTree(found);
      var named = configuration.path("issuer").asString("");
      if (!named.equals(text)) {
        throw new IOException(place + " is of another issuer: " + named);
      }
      var jwks = URI.create(configuration.path("jwks_uri").asString(""));
      return ofKeys(jwks, text, audience);
    } catch (JacksonException | IllegalArgumentException malformed) {
      throw new IOException(place + " has no proper configuration", malformed);
    }
  }

  /// Takes tokens signed with keys under an address, which are kept for minutes and asked for again
  /// when a token names an unknown one.
  ///
  /// @param keySet the address of a JSON Web Key Set; `https` unless it is on this machine
  public static JwtAuthenticator ofKeys(URI keySet, String issuer, String audience) {
    JWKSource<SecurityContext> source =
        JWKSourceBuilder.create(url(keySet), retriever())
            .cache(KEYS_MILLIS, ANSWER_MILLIS * 2L)
            .retrying(true)
            .build();
    return new JwtAuthenticator(source, rules(issuer, audience));
  }

  /// Takes tokens signed with given keys.
  ///
  /// @param keySet the JSON text of a JSON Web Key Set
  /// @throws IllegalArgumentException if it is malformed
  public static JwtAuthenticator ofKeys(String keySet, String issuer, String audience) {
    try {
      return new JwtAuthenticator(
          new ImmutableJWKSet<>(JWKSet.parse(keySet)), rules(issuer, audience));
    } catch (ParseException malformed) {
      throw new IllegalArgumentException("keySet is no JSON Web Key Set", malformed);
    }
  }

  private static Rules rules(String issuer, String audience) {
    if (issuer.isBlank()) throw new IllegalArgumentException("issuer must not be empty");
    if (audience.isBlank()) throw new IllegalArgumentException("audience must not be empty");
    return new Rules(issuer, audience, ALGORITHMS, SKEW, Set.of());
  }

  /// With other algorithms of signatures than RS256, PS256 and ES256.
  public JwtAuthenticator withAlgorithms(String... names) {
    if (names.length == 0) throw new IllegalArgumentException("name at least one algorithm");
    for (var name : names) {
      if (!JWSAlgorithm.Family.SIGNATURE.contains(JWSAlgorithm.parse(name))) {
        throw new IllegalArgumentException(
            "`" + name + "` is no algorithm of signatures with a public key");
      }
    }
    return new JwtAuthenticator(
        keys, new Rules(rules.issuer, rules.audience, Set.of(names), rules.skew, rules.claims));
  }

  /// With more or less tolerance for clocks that differ.
  public JwtAuthenticator withSkew(Duration most) {
    return new JwtAuthenticator(
        keys, new Rules(rules.issuer, rules.audience, rules.algorithms, most, rules.claims));
  }

  /// With claims that the principal gets, such as its tenant.
  public JwtAuthenticator withClaims(String... names) {
    return new JwtAuthenticator(
        keys, new Rules(rules.issuer, rules.audience, rules.algorithms, rules.skew, Set.of(names)));
  }

  private static DefaultJWTProcessor<SecurityContext> processor(
      JWKSource<SecurityContext> keys, Rules rules) {
    var processor = new DefaultJWTProcessor<SecurityContext>();
    var algorithms = rules.algorithms.stream().map(JWSAlgorithm::parse).collect(Collectors.toSet());
    processor.setJWSKeySelector(new JWSVerificationKeySelector<>(algorithms, keys));
    processor.setJWSTypeVerifier(
        new DefaultJOSEObjectTypeVerifier<>(
            JOSEObjectType.JWT, new JOSEObjectType("at+jwt"), null));
    var verifier =
        new DefaultJWTClaimsVerifier<SecurityContext>(
            rules.audience,
            new JWTClaimsSet.Builder().issuer(rules.issuer).build(),
            Set.of("sub", "exp"));
    verifier.setMaxClockSkew(Math.toIntExact(rules.skew.toSeconds()));
    processor.setJWTClaimsSetVerifier(verifier);
    return processor;
  }

  @Override
  public Optional<Principal> authenticate(Credentials credentials) {
    var token = ApiKeys.bearer(credentials);
    if (token.isEmpty()) return Optional.empty();
    try {
      return Optional.of(principal(processor.process(SignedJWT.parse(token.get()), null)));
    } catch (RateLimitReachedException _) {
      // The token names a key that was not there when the issuer was asked, moments ago.
      return Optional.empty();
    } catch (KeySourceException unavailable) {
      throw new AuthenticatorUnavailable(
          "the keys of " + rules.issuer + " cannot be read", unavailable);
    } catch (ParseException | BadJOSEException | JOSEException invalid) {
      return Optional.empty();
    }
  }

  private Principal principal(JWTClaimsSet token) {
    var permissions = new HashSet<String>();
    for (var claim : PERMISSIONS) {
      switch (token.getClaim(claim)) {
        case String text -> {
          for (var word : text.split(" ", -1)) if (!word.isEmpty()) permissions.add(word);
        }
        case List<?> list -> list.forEach(each -> permissions.add(String.valueOf(each)));
        case null, default -> {}
      }
    }
    var claims = new HashMap<String, String>();
    for (var name : rules.claims) {
      var value = token.getClaim(name);
      if (value != null) claims.put(name, String.valueOf(value));
    }
    return new Principal(token.getSubject(), permissions, Map.copyOf(claims));
  }

  private static DefaultResourceRetriever retriever() {
    var retriever = new DefaultResourceRetriever(ANSWER_MILLIS, ANSWER_MILLIS, ANSWER_BYTES_MAX);
    retriever.setDisconnectsAfterUse(true);
    return retriever;
  }

  /// Keys that somebody on the way can change are worth nothing.
  private static URL url(URI place) {
    try {
      boolean isSafe =
          "https".equals(place.getScheme())
              || ("http".equals(place.getScheme()) && isHere(place.getHost()));
      if (!isSafe) throw new IllegalArgumentException("`" + place + "` must begin with https://");
      return place.toURL();
    } catch (MalformedURLException malformed) {
      throw new IllegalArgumentException("`" + place + "` is no address", malformed);
    }
  }

  private static boolean isHere(String host) {
    try {
      return host != null && InetAddress.getByName(host).isLoopbackAddress();
    } catch (IOException _) {
      return false;
    }
  }

  @Override
  public String toString() {
    return "JwtAuthenticator[" + rules.issuer() + "]";
  }
}
