package dev.superstep.server.internal.http;

import dev.superstep.server.log.AuditLog;
import dev.superstep.server.log.RequestLog;
import dev.superstep.server.log.RequestLog.Ending;
import dev.superstep.server.log.ServerListener;
import dev.superstep.server.options.ServerOptions;
import dev.superstep.server.security.Authenticator;
import dev.superstep.server.security.AuthenticatorUnavailable;
import dev.superstep.server.security.Principal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Answers requests: checks where they come from and who sent them, finds their route, and sends
/// its reply. Knows nothing of the server below. Safe for many threads.
public final class Dispatcher {
  private static final Logger LOG = LoggerFactory.getLogger("dev.superstep.server");
  private static final int BURST_SECONDS = 10;
  private static final Map<String, String> SECURITY_HEADERS =
      Map.of(
          "X-Content-Type-Options", "nosniff",
          "X-Frame-Options", "DENY",
          "Referrer-Policy", "no-referrer",
          "Cross-Origin-Resource-Policy", "same-origin",
          "Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'",
          "Cache-Control", "no-store");

  private final Routes routes;
  private final Authenticator authenticator;
  private final Observers observers;
  private final Origins origins;
  private final int headersMax;
  private final RateLimits rates;
  private final JsonBody json;
  private final ReplyWriter writer;

  /// @param isLoopback whether the server listens on this machine alone
  public Dispatcher(
      Routes routes,
      Authenticator authenticator,
      ServerOptions options,
      boolean isLoopback,
      RequestLog log) {
    this(
        routes,
        authenticator,
        options,
        isLoopback,
        new Observers(log, AuditLog.none(), ServerListener.none()));
  }

  /// Those who hear of requests.
  ///
  /// @param audit hears here of who did not show who they are
  public record Observers(RequestLog log, AuditLog audit, ServerListener listener) {}

  /// @param isLoopback whether the server listens on this machine alone
  public Dispatcher(
      Routes routes,
      Authenticator authenticator,
      ServerOptions options,
      boolean isLoopback,
      Observers observers) {
    var limits = options.http();
    this.routes = routes;
    this.authenticator = authenticator;
    this.observers = observers;
    this.origins = new Origins(options, isLoopback);
    this.headersMax = limits.headers();
    int perSecond = limits.requestsPerSecond();
    this.rates = new RateLimits(perSecond, perSecond * BURST_SECONDS, System::nanoTime);
    this.json = new JsonBody(limits);
    this.writer =
        new ReplyWriter(
            json, limits, new OpenStreams(limits.streams(), observers.listener()), this::limit);
  }

  /// The facts about a request so far, for its answer and the log.
  private static final class Progress {
    final String id = UUID.randomUUID().toString();
    final Instant at = Instant.now();
    final long nanos = System.nanoTime();
    final Map<String, String> headers = new LinkedHashMap<>(SECURITY_HEADERS);
    final ServerListener.RequestSpan span;
    String principal = "";
    String route = "";
    int status;
    Ending ending = Ending.ANSWERED;

    Progress(ServerListener.RequestSpan span) {
      this.span = span;
    }
  }

  /// Answers a request. Never fails: what goes wrong is answered and logged.
  public void handle(Exchange exchange) {
    var span = observers.listener().request(exchange.method(), name -> header(exchange, name));
    var progress = new Progress(span);
    progress.headers.put("X-Request-Id", progress.id);
    answer(exchange, progress);
    var served = served(exchange, progress);
    progress.span.ended(served);
    try {
      observers.log().served(served);
    } catch (RuntimeException failed) {
      LOG.error("The log does not take request {}", progress.id, failed);
    }
  }

  private static RequestLog.Served served(Exchange exchange, Progress progress) {
    return new RequestLog.Served(
        progress.id,
        progress.at,
        exchange.address(),
        progress.principal,
        exchange.method(),
        exchange.rawPath(),
        progress.route,
        progress.status,
        progress.ending,
        Duration.ofNanos(System.nanoTime() - progress.nanos));
  }

  private void answer(Exchange exchange, Progress progress) {
    try {
      var reply = reply(exchange, progress);
      progress.status = writer.write(exchange, progress.principal, reply, progress.headers);
    } catch (HttpFailure failure) {
      progress.ending = Ending.REFUSED;
      progress.headers.putAll(failure.headers());
      fail(exchange, progress, failure.status(), failure.text());
    } catch (AuthenticatorUnavailable unknown) {
      LOG.warn("Request {} cannot be authenticated", progress.id, unknown);
      progress.ending = Ending.FAILED;
      fail(exchange, progress, 503, "It cannot be found out now who sends requests; try again.");
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      progress.ending = Ending.FAILED;
      fail(exchange, progress, 503, "The server is stopping.");
    } catch (IOException | UncheckedIOException gone) {
      LOG.debug("The client of request {} is gone", progress.id, gone);
      exchange.abort();
      // A client that leaves as soon as it has the last byte had its answer all the same.
      progress.status = exchange.begunStatus();
      progress.ending = Ending.ABANDONED;
    } catch (Exception unexpected) {
      var known = EngineFailures.of(unexpected);
      if (known.isPresent()) {
        LOG.warn("Request {} is refused", progress.id, unexpected);
        progress.ending = Ending.REFUSED;
        progress.headers.putAll(known.get().headers());
        fail(exchange, progress, known.get().status(), known.get().text());
        return;
      }
      // Its message may tell what is not for the client: the log has it, under the same id.
      LOG.error("Request {} failed", progress.id, unexpected);
      progress.ending = Ending.FAILED;
      fail(
          exchange,
          progress,
          500,
          "The server failed; its log has the cause under the id " + progress.id + ".");
    }
  }

  private Reply reply(Exchange exchange, Progress progress) throws Exception {
    if (exchange.headerCount() > headersMax) {
      throw new HttpFailure(431, "The request has more than %,d headers.".formatted(headersMax));
    }
    progress.headers.putAll(origins.check(exchange));
    var segments = RequestPath.segments(exchange.rawPath());
    if (exchange.method().equals("OPTIONS")) return options(exchange, segments);
    var match = find(exchange.method(), segments);
    var route = match.route();
    progress.route = route.template();
    if (!route.isOpen()) limit("address " + exchange.address());
    var principal = route.isOpen() ? Principal.ANONYMOUS : authenticate(exchange, progress);
    progress.principal = principal.id();
    if (!route.isOpen()) limit(principal);
    var sender = new RequestCall.Sender(progress.id, principal, progress.span.carried());
    return route.handler().handle(new RequestCall(exchange, sender, match.parts(), json));
  }

  private Routes.Match find(String method, List<String> segments) {
    var wanted = method.equals("HEAD") ? "GET" : method;
    var match = routes.find(wanted, segments);
    if (match.isPresent()) return match.get();
    var methods = routes.methods(segments);
    if (methods.isEmpty()) throw new HttpFailure(404, "There is nothing under this path.");
    throw new HttpFailure(405, "This path takes " + String.join(", ", methods) + " only.")
        .with("Allow", String.join(", ", methods));
  }

  private Reply options(Exchange exchange, List<String> segments) {
    var methods = new TreeSet<>(routes.methods(segments));
    if (methods.isEmpty()) throw new HttpFailure(404, "There is nothing under this path.");
    if (methods.contains("GET")) methods.add("HEAD");
    methods.add("OPTIONS");
    Reply reply = Reply.nothing().with("Allow", String.join(", ", methods));
    for (var header : Origins.preflight(exchange, methods).entrySet()) {
      reply = reply.with(header.getKey(), header.getValue());
    }
    return reply;
  }

  private static Optional<String> header(Exchange exchange, String name) {
    return exchange.headers(name).stream().findFirst();
  }

  private Principal authenticate(Exchange exchange, Progress progress) {
    var principal = authenticator.authenticate(name -> header(exchange, name));
    if (principal.isPresent()) return principal.get();
    progress.principal = "";
    observers
        .audit()
        .add(
            new AuditLog.Entry(
                progress.id,
                Instant.now(),
                "",
                exchange.address(),
                AuditLog.AUTHENTICATE,
                exchange.rawPath(),
                false));
    throw new HttpFailure(401, "The request does not show who sent it, or not validly.")
        .with("WWW-Authenticate", "Bearer");
  }

  private void limit(Principal principal) {
    if (!principal.equals(Principal.ANONYMOUS)) limit("principal " + principal.id());
  }

  private void limit(String client) {
    long seconds = rates.secondsToWait(client);
    if (seconds == 0) return;
    throw new HttpFailure(429, "Too many requests; try again in " + seconds + " seconds.")
        .with("Retry-After", Long.toString(seconds));
  }

  private void fail(Exchange exchange, Progress progress, int status, String message) {
    if (progress.status == 0) progress.status = status;
    var reply = Refusals.reply(status, message);
    Refusals.headers(status).forEach(progress.headers::putIfAbsent);
    try {
      writer.write(exchange, progress.principal, reply, progress.headers);
    } catch (IOException | IllegalStateException gone) {
      LOG.debug("The client of request {} does not get its failure", progress.id, gone);
      exchange.abort();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
