package dev.superstep.mcp.oauth;

import dev.superstep.mcp.McpCredentials;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Tokens of OAuth 2.1 for a server elsewhere: finds the service that grants access, registers
/// there, has a person agree, with PKCE, and renews tokens. They are kept in memory alone. Safe for
/// many threads.
///
/// ```java
/// var consent = McpConsent.onThisMachine(page -> System.out.println("Visit " + page));
/// McpServer.http("tracker", address).credentials(McpOAuth.of(address, consent))
/// ```
public final class McpOAuth implements McpCredentials {
  private static final Duration EARLY = Duration.ofSeconds(30);
  private static final SecureRandom RANDOM = new SecureRandom();

  private final URI server;
  private final McpConsent consent;
  private final String id;
  private final String secret;
  private final String document;
  private final ReentrantLock lock = new ReentrantLock();
  private @Nullable AuthorizationServer granting;
  private @Nullable OAuthClient client;
  private String token = "";
  private String renewal = "";
  private long expires = Long.MAX_VALUE;
  private String scope = "";

  private McpOAuth(URI server, McpConsent consent, String id, String secret, String document) {
    this.server = server;
    this.consent = consent;
    this.id = id;
    this.secret = secret;
    this.document = document;
  }

  /// Tokens for a server, with a program that registers itself.
  public static McpOAuth of(URI server, McpConsent consent) {
    return new McpOAuth(server, consent, "", "", "");
  }

  /// Returns one for a program that was registered beforehand.
  ///
  /// @param clientSecret empty if it has none
  public McpOAuth client(String clientId, String clientSecret) {
    return new McpOAuth(server, consent, clientId, clientSecret, document);
  }

  /// Returns one for a program that describes itself at an address, where the service takes that.
  public McpOAuth document(URI clientDocument) {
    return new McpOAuth(server, consent, id, secret, clientDocument.toString());
  }

  @Override
  public Optional<String> token() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      boolean isOver = expires != Long.MAX_VALUE && System.nanoTime() - expires > 0;
      if (isOver && !renewal.isEmpty()) renew();
      return token.isEmpty() ? Optional.empty() : Optional.of(token);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public boolean refresh(String challenge) throws InterruptedException {
    var told = Challenge.of(challenge);
    boolean isForbidden = !told.error().isEmpty() && !told.error().equals("invalid_token");
    boolean needsMore = told.error().equals("insufficient_scope");
    if (isForbidden && !needsMore) return false;
    lock.lockInterruptibly();
    try {
      if (!needsMore && !renewal.isEmpty() && renew()) return true;
      authorize(told);
      return true;
    } finally {
      lock.unlock();
    }
  }

  private boolean renew() throws InterruptedException {
    var by = granting;
    var who = client;
    if (by == null || who == null) return false;
    var form = new HashMap<String, String>();
    form.put("grant_type", "refresh_token");
    form.put("refresh_token", renewal);
    renewal = "";
    token = "";
    return took(by, who, form);
  }

  private void authorize(Challenge challenge) throws InterruptedException {
    var by = AuthorizationServer.find(server, challenge);
    var who = client(by);
    granting = by;
    client = who;
    var wanted = new LinkedHashSet<>(List.of(scope.split(" ", -1)));
    wanted.addAll(List.of(by.scope().split(" ", -1)));
    wanted.remove("");
    var all = String.join(" ", wanted);
    var verifier = random();
    var state = random();
    var query = new LinkedHashMap<String, String>();
    query.put("response_type", "code");
    query.put("client_id", who.id());
    query.put("redirect_uri", consent.redirect().toString());
    query.put("state", state);
    query.put("code_challenge", digest(verifier));
    query.put("code_challenge_method", "S256");
    if (!all.isEmpty()) query.put("scope", all);
    if (!by.resource().isEmpty()) query.put("resource", by.resource());
    var page = by.authorize().toString();
    var came =
        consent.visit(URI.create(page + (page.contains("?") ? "&" : "?") + OAuthHttp.query(query)));
    var form = new HashMap<String, String>();
    form.put("grant_type", "authorization_code");
    form.put("code", code(came, state, by));
    form.put("redirect_uri", consent.redirect().toString());
    form.put("code_verifier", verifier);
    if (!took(by, who, form)) throw new OAuthFailed("the service gave no token.");
    scope = all;
  }

  private OAuthClient client(AuthorizationServer by) throws InterruptedException {
    var known = granting;
    if (client != null && known != null && known.issuer().equals(by.issuer())) return client;
    if (!id.isEmpty()) return OAuthClient.of(id, secret, by.tokenMethods());
    if (!document.isEmpty() && by.takesDocuments()) {
      return new OAuthClient(document, "", OAuthClient.Method.NONE);
    }
    return OAuthClient.registered(by, consent.redirect());
  }

  /// The code that the browser brought, which must belong to this very request.
  private static String code(URI came, String state, AuthorizationServer by) {
    var values = new HashMap<String, String>();
    for (var one : String.valueOf(came.getRawQuery()).split("&", -1)) {
      int at = one.indexOf('=');
      if (at < 0) continue;
      values.put(
          one.substring(0, at),
          java.net.URLDecoder.decode(one.substring(at + 1), StandardCharsets.UTF_8));
    }
    boolean isOurs =
        MessageDigest.isEqual(
            state.getBytes(StandardCharsets.UTF_8),
            values.getOrDefault("state", "").getBytes(StandardCharsets.UTF_8));
    if (!isOurs) throw new OAuthFailed("an answer came that belongs to another request.");
    var issuer = values.getOrDefault("iss", by.issuer());
    if (!issuer.equals(by.issuer())) throw new OAuthFailed("an answer came of another service.");
    var code = values.getOrDefault("code", "");
    if (!code.isEmpty()) return code;
    var error = values.getOrDefault("error", "no code");
    throw new OAuthFailed("the service answered `%s`.".formatted(OAuthHttp.quoted(error)));
  }

  private boolean took(AuthorizationServer by, OAuthClient who, Map<String, String> form)
      throws InterruptedException {
    if (!by.resource().isEmpty()) form.put("resource", by.resource());
    var header = who.authorized(form);
    var answer = OAuthHttp.posted(by.token(), form, header);
    var given = answer.body().path("access_token").asString("");
    if (answer.status() != 200 || !given.matches("[!-~]{1,20000}")) return false;
    keep(given, answer.body());
    return true;
  }

  private void keep(String given, JsonNode answer) {
    token = given;
    renewal = answer.path("refresh_token").asString("");
    long seconds = answer.path("expires_in").asLong(0);
    boolean isEndless = seconds <= 0 || seconds > Duration.ofDays(3650).toSeconds();
    var life = Duration.ofSeconds(Math.max(1, seconds)).minus(EARLY);
    expires = isEndless ? Long.MAX_VALUE : System.nanoTime() + Math.max(0, life.toNanos());
  }

  private static String random() {
    var bytes = new byte[32];
    RANDOM.nextBytes(bytes);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  private static String digest(String verifier) {
    try {
      var sha = MessageDigest.getInstance("SHA-256");
      var bytes = sha.digest(verifier.getBytes(StandardCharsets.US_ASCII));
      return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  @Override
  public String toString() {
    return "McpOAuth[" + server.getHost() + "]";
  }
}
