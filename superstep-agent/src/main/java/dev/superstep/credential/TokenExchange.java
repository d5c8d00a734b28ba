package dev.superstep.credential;

import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Gets credentials from an authorization server by OAuth 2.0 token exchange (RFC 8693): the token
/// by which a person signed in becomes one for a service. The name of the service is the audience.
///
/// ```java
/// var provider = TokenExchange.at(URI.create("https://login.example/token"))
///     .client("assistant", () -> System.getenv("CLIENT_SECRET"))
///     .subjects(who -> sessions.token(who.id()))
///     .consentPage(_ -> Optional.of(URI.create("https://app.example/sign-in")))
///     .cached();
/// ```
///
/// Immutable, safe for many threads; each method returns a changed copy.
public final class TokenExchange implements CredentialProvider {
  private static final HttpClient HTTP =
      HttpClient.newBuilder()
          .connectTimeout(Duration.ofSeconds(10))
          // A redirect would take the tokens along.
          .followRedirects(HttpClient.Redirect.NEVER)
          .executor(Executors.newVirtualThreadPerTaskExecutor())
          .build();
  private static final Duration MOST = Duration.ofSeconds(20);
  private static final int BODY_MAX = 200_000;
  private static final Duration LIFE_MAX = Duration.ofDays(3_650);
  private static final String TOKEN = "urn:ietf:params:oauth:token-type:access_token";
  private static final Set<String> HERE = Set.of("localhost", "127.0.0.1", "[::1]");
  private static final Set<String> CONSENT =
      Set.of(
          "invalid_grant",
          "access_denied",
          "consent_required",
          "interaction_required",
          "login_required");
  private static final Pattern CODE = Pattern.compile("[a-z_]{1,60}");

  private final Settings settings;
  private final Duration longest;

  private TokenExchange(Settings settings, Duration longest) {
    this.settings = settings;
    this.longest = longest;
  }

  /// The content of the request and its address.
  ///
  /// @param form the fields that are the same for each exchange
  /// @param authorization the header that shows which client this program is
  private record Settings(
      URI endpoint,
      Map<String, String> form,
      Supplier<Optional<String>> authorization,
      Function<RunPrincipal, Optional<String>> subjects,
      Function<CredentialRequest, Optional<URI>> page) {}

  /// An exchange at a token endpoint, over TLS or on this machine.
  public static TokenExchange at(URI endpoint) {
    boolean isHere = HERE.contains(String.valueOf(endpoint.getHost()));
    boolean isSafe = "https".equals(endpoint.getScheme()) || isHere;
    if (!isSafe || endpoint.getHost() == null) {
      throw new IllegalArgumentException("tokens must not be sent in the clear to " + endpoint);
    }
    var form = new LinkedHashMap<String, String>();
    form.put("grant_type", "urn:ietf:params:oauth:grant-type:token-exchange");
    form.put("subject_token_type", TOKEN);
    form.put("requested_token_type", TOKEN);
    return new TokenExchange(
        new Settings(endpoint, form, Optional::empty, _ -> Optional.empty(), _ -> Optional.empty()),
        MOST);
  }

  /// Sets the client of the authorization server that this program is.
  ///
  /// @param secret is asked for each time
  public TokenExchange client(String id, Supplier<String> secret) {
    Supplier<Optional<String>> authorization = () -> Optional.of(basic(id, secret.get()));
    var old = settings;
    return with(
        new Settings(old.endpoint(), old.form(), authorization, old.subjects(), old.page()));
  }

  /// Sets where the tokens of people come from, by which they signed in; empty for one who has to
  /// sign in first.
  public TokenExchange subjects(Function<RunPrincipal, Optional<String>> tokens) {
    var old = settings;
    return with(new Settings(old.endpoint(), old.form(), old.authorization(), tokens, old.page()));
  }

  /// Sets the type of the people's tokens; that of access tokens unless set.
  ///
  /// @param type such as `urn:ietf:params:oauth:token-type:id_token`
  public TokenExchange subjectType(String type) {
    var old = settings;
    var form = new LinkedHashMap<>(old.form());
    form.put("subject_token_type", type);
    return with(
        new Settings(old.endpoint(), form, old.authorization(), old.subjects(), old.page()));
  }

  /// Sets the page where a person consents: without a secret, and equal each time.
  public TokenExchange consentPage(Function<CredentialRequest, Optional<URI>> where) {
    var old = settings;
    return with(
        new Settings(old.endpoint(), old.form(), old.authorization(), old.subjects(), where));
  }

  /// Limits an exchange as a whole, from the request to the end of the answer; 20 seconds unless
  /// set.
  public TokenExchange timeout(Duration limit) {
    if (!limit.isPositive()) throw new IllegalArgumentException("timeout must be positive");
    return new TokenExchange(settings, limit);
  }

  private TokenExchange with(Settings other) {
    return new TokenExchange(other, longest);
  }

  private static String basic(String id, String secret) {
    var pair = encoded(id) + ":" + encoded(secret);
    return "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public CredentialAnswer credential(CredentialRequest request) throws InterruptedException {
    var subject = settings.subjects().apply(request.principal());
    if (subject.isEmpty()) return needed(ConsentReason.MISSING, request);
    var all = new LinkedHashMap<>(settings.form());
    all.put("subject_token", subject.get());
    all.put("audience", request.service());
    if (!request.scopes().isEmpty()) all.put("scope", String.join(" ", request.scopes()));
    var now = Instant.now();
    var answer = sent(all, request.service());
    var token = answer.body().path("access_token").asString("");
    if (answer.status() == 200 && !token.isBlank()) {
      var credential = Credential.of(token);
      // More than a clock can count is no time.
      long seconds = Math.min(answer.body().path("expires_in").asLong(0), LIFE_MAX.toSeconds());
      return new CredentialAnswer.Granted(
          seconds > 0 ? credential.until(now.plusSeconds(seconds)) : credential);
    }
    var told = answer.body().path("error").asString("");
    if (CONSENT.contains(told)) return needed(ConsentReason.EXPIRED, request);
    // Descriptions may repeat a token.
    var code = CODE.matcher(told).matches() ? " `" + told + "`" : "";
    throw new CredentialFailed(
        request.service(),
        "%s answered with status %d%s. Check the client and what it may exchange."
            .formatted(host(), answer.status(), code),
        null);
  }

  private CredentialAnswer needed(ConsentReason reason, CredentialRequest request) {
    return new CredentialAnswer.ConsentNeeded(reason, settings.page().apply(request));
  }

  private record Answer(int status, JsonNode body) {}

  private Answer sent(Map<String, String> fields, String service) throws InterruptedException {
    var body =
        fields.entrySet().stream()
            .map(field -> encoded(field.getKey()) + "=" + encoded(field.getValue()))
            .collect(Collectors.joining("&"));
    var request =
        HttpRequest.newBuilder(settings.endpoint())
            .timeout(longest)
            .header("Content-Type", "application/x-www-form-urlencoded")
            .header("Accept", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body));
    settings.authorization().get().ifPresent(value -> request.header("Authorization", value));
    // The time limit of a request ends with its headers; this one holds for the body, too.
    var text = BodyHandlers.ofString(StandardCharsets.UTF_8);
    var sending = HTTP.sendAsync(request.build(), BodyHandlers.limiting(text, BODY_MAX));
    try {
      var response = sending.get(longest.toNanos(), TimeUnit.NANOSECONDS);
      return new Answer(response.statusCode(), tree(response.body()));
    } catch (TimeoutException e) {
      var why = " did not answer within " + longest.toMillis() + " ms. Try again later.";
      throw new CredentialFailed(service, host() + why, e);
    } catch (ExecutionException e) {
      var why = host() + " cannot be reached, or answered more than it may. Try again later.";
      throw new CredentialFailed(service, why, e.getCause());
    } finally {
      sending.cancel(true);
    }
  }

  private String host() {
    return settings.endpoint().getHost();
  }

  private static JsonNode tree(String text) {
    try {
      return JsonMapper.shared().readTree(text);
    } catch (JacksonException _) {
      return JsonMapper.shared().createObjectNode();
    }
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  @Override
  public String toString() {
    return "TokenExchange[" + host() + "]";
  }
}
