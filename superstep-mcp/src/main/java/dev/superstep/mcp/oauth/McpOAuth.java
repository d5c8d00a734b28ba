package dev.superstep.mcp.oauth;

import dev.superstep.lock.Mutex;
import dev.superstep.mcp.McpCredentials;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Tokens of OAuth 2.1 for a server elsewhere: finds the service that grants access, registers
/// there, has a person agree, with PKCE, and renews tokens. They are kept in memory unless
/// [#tokens] says where. Safe for many threads.
///
/// ```java
/// var consent = McpConsent.onThisMachine(page -> System.out.println("Visit " + page));
/// McpServer.http("tracker", address).credentials(McpOAuth.of(address, consent))
/// ```
public final class McpOAuth implements McpCredentials {
  private static final SecureRandom RANDOM = new SecureRandom();

  private final URI server;
  private final McpConsent consent;
  private final String id;
  private final String secret;
  private final String document;
  private final McpTokens tokens;
  private final Mutex lock = new Mutex();
  private boolean isLoaded;
  private @Nullable StoredGrant current;

  /// The program as a service knows it, which stays when its tokens do not.
  private @Nullable StoredGrant registered;

  private McpOAuth(
      URI server, McpConsent consent, McpTokens tokens, String id, String secret, String document) {
    this.server = server;
    this.consent = consent;
    this.tokens = tokens;
    this.id = id;
    this.secret = secret;
    this.document = document;
  }

  /// Tokens for a server, with a program that registers itself.
  public static McpOAuth of(URI server, McpConsent consent) {
    return new McpOAuth(server, consent, McpTokens.inMemory(), "", "", "");
  }

  /// Returns one for a program that was registered beforehand.
  ///
  /// @param clientSecret empty if it has none
  public McpOAuth client(String clientId, String clientSecret) {
    return new McpOAuth(server, consent, tokens, clientId, clientSecret, document);
  }

  /// Returns one for a program that describes itself at an address, where the service takes that.
  public McpOAuth document(URI clientDocument) {
    return new McpOAuth(server, consent, tokens, id, secret, clientDocument.toString());
  }

  /// Returns one that keeps tokens there, so that a new process asks nobody again. A token that
  /// renews is used by one process at a time, and the next one is stored before it is used.
  public McpOAuth tokens(McpTokens where) {
    return new McpOAuth(server, consent, where, id, secret, document);
  }

  @Override
  public Optional<String> token() throws InterruptedException {
    try (var _ = lock.holdInterruptibly()) {
      var now = loaded();
      if (now != null && now.isOver() && !now.renewal().isEmpty()) now = renewed(now);
      return Optional.ofNullable(now).map(StoredGrant::token);
    }
  }

  @Override
  public boolean refresh(String challenge) throws InterruptedException {
    var told = Challenge.of(challenge);
    boolean isForbidden = !told.error().isEmpty() && !told.error().equals("invalid_token");
    boolean needsMore = told.error().equals("insufficient_scope");
    if (isForbidden && !needsMore) return false;
    try (var _ = lock.holdInterruptibly()) {
      var used = current;
      // Another process may have got tokens since.
      if (used == null) isLoaded = false;
      var now = loaded();
      if (used == null && now != null && !needsMore) return true;
      if (now != null && !needsMore && renewed(now) != null) return true;
      if (now != null && needsMore && isReplaced(now)) return true;
      authorize(told, now);
      return true;
    }
  }

  private @Nullable StoredGrant loaded() {
    if (!isLoaded) use(stored(tokens.find(server)).orElse(null));
    isLoaded = true;
    return current;
  }

  private Optional<StoredGrant> stored(Optional<McpGrant> grant) {
    return grant
        .flatMap(StoredGrant::read)
        .filter(one -> id.isEmpty() || id.equals(one.client().id()))
        .map(this::withOwnSecret);
  }

  /// The secret that this was told counts, since the stored one may have been replaced.
  private StoredGrant withOwnSecret(StoredGrant grant) {
    boolean isOwn = id.isEmpty() || secret.isEmpty() || secret.equals(grant.client().secret());
    if (isOwn || grant.client().method() == OAuthClient.Method.NONE) return grant;
    return grant.withClient(new OAuthClient(id, secret, grant.client().method()));
  }

  private void use(@Nullable StoredGrant grant) {
    current = grant;
    if (grant != null) registered = grant;
  }

  private boolean isReplaced(StoredGrant used) {
    var other = stored(tokens.find(server)).filter(one -> !one.token().equals(used.token()));
    other.ifPresent(this::use);
    return other.isPresent();
  }

  /// Renews a grant, unless another process has done it.
  ///
  /// @return null if that is not possible any more
  private @Nullable StoredGrant renewed(StoredGrant used) throws InterruptedException {
    var _ =
        tokens.change(
            server,
            before -> {
              var latest = stored(before);
              var next = latest;
              boolean isOther =
                  latest.isPresent()
                      && !latest.get().token().equals(used.token())
                      && !latest.get().isOver();
              if (!isOther && latest.isPresent()) next = renewal(latest.get());
              use(next.orElse(null));
              return next.map(StoredGrant::grant);
            });
    return current;
  }

  private Optional<StoredGrant> renewal(StoredGrant grant) throws InterruptedException {
    if (grant.renewal().isEmpty()) return Optional.empty();
    var form = new HashMap<String, String>();
    form.put("grant_type", "refresh_token");
    form.put("refresh_token", grant.renewal());
    return granted(grant.by(), grant.client(), form)
        .map(answer ->
            StoredGrant.of(grant.by(), grant.client(), grant.redirect(), answer, grant.renewal())
                .withScope(grant.scope()));
  }

  private void authorize(Challenge challenge, @Nullable StoredGrant before)
      throws InterruptedException {
    var by = AuthorizationServer.find(server, challenge);
    var who = client(by);
    var scope = before == null ? "" : before.scope();
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
    var answer = granted(by, who, form);
    if (answer.isEmpty()) throw new OAuthFailed("the service gave no token.");
    var redirect = consent.redirect().toString();
    var grant = StoredGrant.of(by, who, redirect, answer.get(), "").withScope(all);
    var _ = tokens.change(server, _ -> Optional.of(grant.grant()));
    use(grant);
    isLoaded = true;
  }

  private OAuthClient client(AuthorizationServer by) throws InterruptedException {
    var known = registered;
    boolean isSame =
        known != null
            && known.by().issuer().equals(by.issuer())
            && known.redirect().equals(consent.redirect().toString());
    if (known != null && isSame) return known.client();
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
    var issuer = values.getOrDefault("iss", by.namesItself() ? "" : by.issuer());
    if (!issuer.equals(by.issuer())) throw new OAuthFailed("an answer came of another service.");
    var code = values.getOrDefault("code", "");
    if (!code.isEmpty()) return code;
    var error = values.getOrDefault("error", "no code");
    throw new OAuthFailed("the service answered `%s`.".formatted(OAuthHttp.quoted(error)));
  }

  /// The answer with a token; empty if the service refuses one.
  private static Optional<JsonNode> granted(
      AuthorizationServer by, OAuthClient who, Map<String, String> form)
      throws InterruptedException {
    if (!by.resource().isEmpty()) form.put("resource", by.resource());
    var header = who.authorized(form);
    var answer = OAuthHttp.posted(by.token(), form, header);
    if (answer.status() >= 500 || answer.status() == 429) {
      // It may grant it later, so nothing that was granted is given up.
      throw new OAuthFailed("the service answered with status " + answer.status() + ".");
    }
    var given = answer.body().path("access_token").asString("");
    boolean isGiven = answer.status() == 200 && given.matches("[!-~]{1,20000}");
    return isGiven ? Optional.of(answer.body()) : Optional.empty();
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
