package dev.superstep.workspace;

import dev.superstep.tool.ToolError;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.charset.UnsupportedCharsetException;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/// Fetches an address and follows its redirects. Immutable, safe for many threads.
///
/// @param refused receives the errors of requests that are not allowed
record UrlFetcher(HostPolicy hosts, WorkspaceLimits limits, Web web, Consumer<ToolError> refused) {
  private static final int REDIRECTS_MAX = 5;
  private static final int ERROR_FROM = 400;
  private static final Pattern CHARSET = Pattern.compile("(?i);\\s*charset=\"?([^\\s;\"]+)");
  private static final Pattern TEXT =
      Pattern.compile("text/.*|application/(.*[+])?(json|xml|javascript|yaml|x-yaml|toml)|");

  /// The name lookup, and the certificates that prove the identity of hosts.
  ///
  /// @param tls those of the JVM if null
  record Web(AddressLookup lookup, @Nullable SSLContext tls) {
    SSLContext proof() {
      if (tls != null) return tls;
      try {
        return SSLContext.getDefault();
      } catch (NoSuchAlgorithmException e) {
        throw new IllegalStateException("every Java has TLS", e);
      }
    }
  }

  /// @throws ToolError.Http if it cannot or must not be fetched
  FetchedText fetch(URI first) throws InterruptedException {
    long deadline = System.nanoTime() + limits.fetchTime().toNanos();
    var at = first;
    for (int hop = 0; hop <= REDIRECTS_MAX; hop++) {
      var addresses = hosts.check(at, host -> addresses(host, deadline), refused);
      var answer = send(at, addresses, deadline);
      var next = redirect(at, answer);
      if (next.isEmpty()) return text(at, answer);
      at = next.get();
    }
    throw new ToolError.Http(
        first, "it redirects more than " + REDIRECTS_MAX + " times. Use another address.", null);
  }

  private List<InetAddress> addresses(String host, long deadline) throws IOException {
    var left = Duration.ofNanos(Math.max(1, deadline - System.nanoTime()));
    return web.lookup().within(left, host);
  }

  private PinnedRequest.Answer send(URI uri, List<InetAddress> addresses, long deadline)
      throws InterruptedException {
    var proof = web.proof();
    try (var request = new PinnedRequest(uri, addresses, limits.fetchedBytes())) {
      var answer = new FutureTask<>(() -> request.answer(proof));
      Thread.ofVirtual().name("superstep-fetch").start(answer);
      return answer.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      throw new ToolError.Http(
          uri, "there was no answer within %s.".formatted(seconds(limits.fetchTime())), e);
    } catch (ExecutionException e) {
      var cause = e.getCause() instanceof IOException io ? io : e;
      throw new ToolError.Http(uri, "the server cannot be reached. Try again later.", cause);
    } catch (IOException e) {
      throw new ToolError.Http(uri, "the server cannot be reached. Try again later.", e);
    }
  }

  private static Optional<URI> redirect(URI from, PinnedRequest.Answer response) {
    var to = response.header("location");
    return switch (response.status()) {
      case 301, 302, 303, 307, 308 -> to.map(text -> next(from, text, response.status()));
      default -> Optional.empty();
    };
  }

  private static URI next(URI from, String text, int status) {
    URI to;
    try {
      to = from.resolve(text);
    } catch (IllegalArgumentException _) {
      throw new ToolError.Http(from, status, "it redirects to what is no address.");
    }
    if ("https".equalsIgnoreCase(from.getScheme()) && "http".equalsIgnoreCase(to.getScheme())) {
      throw new ToolError.Http(from, status, "it redirects to a connection that is not secure.");
    }
    return to;
  }

  private static FetchedText text(URI uri, PinnedRequest.Answer response) {
    int status = response.status();
    if (status < 200 || status > 299) {
      var advice = status >= ERROR_FROM ? "" : " and not what is there";
      throw new ToolError.Http(
          uri, status, "the server answers %d%s. Check the address.".formatted(status, advice));
    }
    var given = response.header("content-type").orElse("");
    var type = given.replaceFirst(";.*", "").strip().toLowerCase(Locale.ROOT);
    var encoding = response.header("content-encoding").orElse("identity");
    if (!TEXT.matcher(type).matches() || !encoding.equalsIgnoreCase("identity")) {
      var what = encoding.equalsIgnoreCase("identity") ? type : encoding;
      throw new ToolError.Http(
          uri, status, "it is `%s`, and only text can be fetched.".formatted(what));
    }
    var body = response.body();
    var chars = charset(uri, given, status).decode(body.bytes()).toString();
    return new FetchedText(uri, type, chars, body.isCut());
  }

  private static Charset charset(URI uri, String contentType, int status) {
    var named = CHARSET.matcher(contentType);
    if (!named.find()) return StandardCharsets.UTF_8;
    try {
      return Charset.forName(named.group(1));
    } catch (UnsupportedCharsetException | java.nio.charset.IllegalCharsetNameException _) {
      throw new ToolError.Http(
          uri,
          status,
          "its characters are written as `%s`, which is unknown here.".formatted(named.group(1)));
    }
  }

  private static String seconds(Duration time) {
    return time.toMillis() % 1000 == 0 ? time.toSeconds() + " s" : time.toMillis() + " ms";
  }
}
