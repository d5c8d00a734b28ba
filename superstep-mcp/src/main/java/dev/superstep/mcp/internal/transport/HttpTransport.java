package dev.superstep.mcp.internal.transport;

import dev.superstep.mcp.internal.wire.BoundedHttp;
import dev.superstep.mcp.internal.wire.BoundedLines;
import dev.superstep.mcp.internal.wire.Wire;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// Speaks with a server by streamable HTTP: each message is a request of its own, whose answer is
/// JSON or a stream of events; what the server says by itself comes on another stream.
public final class HttpTransport implements Transport {
  /// The revision without sessions.
  public static final String STATELESS = "2026-07-28";

  private static final HttpClient HTTP =
      HttpClient.newBuilder()
          .connectTimeout(Duration.ofSeconds(10))
          // A redirect would take the token along.
          .followRedirects(HttpClient.Redirect.NEVER)
          .build();
  private static final String EVENTS = "text/event-stream";
  private static final Duration END = Duration.ofSeconds(2);
  private static final Duration RETRY = Duration.ofSeconds(1);
  private static final int REOPENED_MAX = 5;
  private static final int SAID_MAX = 2_000;
  private static final int SESSION_MAX = 1_000;

  private final String server;
  private final URI address;
  private final Map<String, String> headers;
  private final TokenSource credentials;
  private final MessageLimits limits;
  private final Wire wire;
  private final Map<Long, Thread> posts = new ConcurrentHashMap<>();
  private final Set<Thread> others = ConcurrentHashMap.newKeySet();
  private @Nullable Listener listener;
  private volatile String session = "";
  private volatile String revision = "";
  private volatile boolean isClosed;

  /// A transport to an address.
  public HttpTransport(String server, Endpoint to, MessageLimits limits) {
    this.server = server;
    this.address = to.address();
    this.headers = to.headers();
    this.credentials = to.tokens();
    this.limits = limits;
    this.wire = new Wire(limits.messageBytes(), limits.depth());
  }

  /// A place to which messages are posted.
  public record Endpoint(URI address, Map<String, String> headers, TokenSource tokens) {}

  private Listener listener() {
    return java.util.Objects.requireNonNull(listener, "it is not open");
  }

  @Override
  public void open(Listener hears) {
    listener = hears;
  }

  @Override
  public void onInitialized(String agreed) {
    revision = agreed;
  }

  @Override
  public boolean cancelsByClosing() {
    return revision.equals(STATELESS);
  }

  @Override
  public String complaints() {
    return "";
  }

  @Override
  public void send(ObjectNode message, long id, Map<String, String> mirrored) {
    var method = message.path("method").asString("");
    // Nothing may overtake it.
    if (method.equals("notifications/initialized")) {
      deliver(message, method, id, mirrored);
      start("listen", this::listen);
    } else if (id < 0) {
      start("post", () -> deliver(message, method, id, mirrored));
    } else {
      var thread =
          McpThreads.unstarted(server, "post", () -> deliver(message, method, id, mirrored));
      posts.put(id, thread);
      thread.start();
    }
  }

  private void start(String what, Runnable work) {
    var thread =
        McpThreads.unstarted(
            server,
            what,
            () -> {
              try {
                work.run();
              } finally {
                others.remove(Thread.currentThread());
              }
            });
    others.add(thread);
    thread.start();
  }

  private void deliver(ObjectNode message, String method, long id, Map<String, String> mirrored) {
    try {
      post(message, method, id, mirrored);
    } catch (RequestFailed e) {
      listener().onUndelivered(id, e.why());
    } catch (IOException e) {
      var why = e.getClass().getSimpleName() + (e.getMessage() == null ? "" : " " + e.getMessage());
      listener().onUndelivered(id, new RequestFailed.Lost(method, why));
    } catch (InterruptedException _) {
      listener().onUndelivered(id, new RequestFailed.Lost(method, "it was stopped"));
    } catch (RuntimeException e) {
      // Of those who give credentials: an authorization that did not come about.
      var why = String.valueOf(e.getMessage());
      listener().onUndelivered(id, new RequestFailed.NotConnected(why, e));
    }
  }

  private void post(ObjectNode message, String method, long id, Map<String, String> mirrored)
      throws IOException, InterruptedException, RequestFailed {
    var body = HttpRequest.BodyPublishers.ofString(Wire.write(message));
    var request = request().POST(body);
    if (cancelsByClosing()) StatelessHeaders.add(request, message, mirrored);
    // An answer that somebody waits for ends with that wait: see forget.
    var response = sent(request, id < 0 ? limits.request() : limits.call());
    try (var in = response.body()) {
      check(response, in, method);
      if (method.equals("initialize")) begin(response);
      if (id < 0) return;
      var type = response.headers().firstValue("Content-Type").orElse("");
      if (response.statusCode() == 200 && type.startsWith("application/json")) {
        single(in);
      } else if (response.statusCode() == 200 && type.startsWith(EVENTS)) {
        stream(in, method, id);
      } else {
        throw misbehaved(
            "answered `%s` with status %d and content `%s`."
                .formatted(method, response.statusCode(), Wire.cut(type, 100)));
      }
    }
  }

  private RequestFailed misbehaved(String how) {
    return new RequestFailed(new RequestFailed.Misbehaved(how));
  }

  /// Sends a request, and once more with other credentials if the server wants them.
  private HttpResponse<InputStream> sent(HttpRequest.Builder request, Duration most)
      throws IOException, InterruptedException {
    var response = authorized(request, most);
    if (response.statusCode() != 401 && response.statusCode() != 403) return response;
    var challenge = response.headers().firstValue("WWW-Authenticate").orElse("");
    if (!credentials.refresh(challenge)) return response;
    response.body().close();
    return authorized(request, most);
  }

  private HttpResponse<InputStream> authorized(HttpRequest.Builder request, Duration most)
      throws IOException, InterruptedException {
    var token = credentials.token();
    if (token.isPresent()) request.setHeader("Authorization", "Bearer " + token.get());
    return BoundedHttp.send(HTTP, request.build(), this::body, most);
  }

  /// A stream of events is read as it comes, all else as a whole.
  private HttpResponse.BodySubscriber<InputStream> body(HttpResponse.ResponseInfo info) {
    var type = info.headers().firstValue("Content-Type").orElse("");
    if (info.statusCode() == 200 && type.startsWith(EVENTS)) {
      return HttpResponse.BodySubscribers.ofInputStream();
    }
    int most = info.statusCode() < 300 ? limits.messageBytes() + 1 : SAID_MAX;
    return HttpResponse.BodySubscribers.mapping(
        BoundedHttp.atMost(most), ByteArrayInputStream::new);
  }

  private HttpRequest.Builder request() {
    var request = HttpRequest.newBuilder(address).timeout(limits.call());
    for (var header : headers.entrySet()) {
      // What repeats an argument must not come from elsewhere.
      if (StatelessHeaders.isMirrored(header.getKey())) continue;
      request.setHeader(header.getKey(), header.getValue());
    }
    request.setHeader("Content-Type", "application/json");
    request.setHeader("Accept", "application/json, text/event-stream");
    if (!revision.isEmpty()) request.setHeader("MCP-Protocol-Version", revision);
    if (!session.isEmpty()) request.setHeader("Mcp-Session-Id", session);
    return request;
  }

  private void check(HttpResponse<?> response, InputStream in, String method)
      throws IOException, RequestFailed {
    int status = response.statusCode();
    if (status < 300) return;
    if (status == 401 || status == 403)
      throw new RequestFailed(new RequestFailed.Unauthorized(status));
    if (status == 404 && !session.isEmpty()) {
      var why = "its session has ended";
      listener().onClosed(why);
      throw new RequestFailed(new RequestFailed.Lost(method, why));
    }
    if (status < 400) throw misbehaved("redirects; give its final address.");
    var said = new String(in.readNBytes(SAID_MAX), StandardCharsets.UTF_8);
    var message = wire.read(said);
    if (message != null && message.path("error").isObject()) {
      var error = message.path("error");
      var text = Wire.text(error, "message");
      int code = error.path("code").asInt(0);
      var data = error.has("data") ? Wire.write(error.path("data")) : "";
      throw new RequestFailed(new RequestFailed.Refused(method, code, text, data));
    }
    throw misbehaved(
        "answered `%s` with status %d: `%s`."
            .formatted(method, status, dev.superstep.tool.ToolError.quote(said)));
  }

  private void begin(HttpResponse<?> response) throws RequestFailed {
    var id = response.headers().firstValue("Mcp-Session-Id").orElse("");
    boolean isVisible = id.chars().allMatch(c -> c > ' ' && c < 0x7f);
    if (!isVisible || id.length() > SESSION_MAX) throw misbehaved("has an unusable session id.");
    session = id;
  }

  private void single(InputStream in) throws IOException, RequestFailed {
    var bytes = in.readNBytes(limits.messageBytes() + 1);
    if (bytes.length > limits.messageBytes()) {
      throw misbehaved("sent more than %d bytes.".formatted(limits.messageBytes()));
    }
    heard(new String(bytes, StandardCharsets.UTF_8), true);
  }

  private void heard(String text, boolean isNeeded) throws RequestFailed {
    var message = wire.read(text);
    if (message != null) listener().onMessage(message);
    else if (isNeeded) throw misbehaved("sent what is no JSON or nested too deeply.");
  }

  /// Reads events to the end; what breaks off before the answer is taken up where it was.
  private void stream(InputStream first, String method, long id)
      throws IOException, InterruptedException, RequestFailed {
    var read = read(first, new ServerEvents(first, limits.messageBytes(), "", RETRY));
    for (int i = 0; i < REOPENED_MAX && isAwaited(id) && !read.lastId().isEmpty(); i++) {
      Thread.sleep(read.retry());
      if (!isAwaited(id)) return;
      read = reopened(read, method);
    }
    if (isAwaited(id)) {
      throw new RequestFailed(new RequestFailed.Lost(method, "the stream of events ended"));
    }
  }

  private boolean isAwaited(long id) {
    return posts.containsKey(id);
  }

  /// Opens a stream of events, or opens it again.
  ///
  /// @param method whose answer it has; empty for what the server says by itself
  private ServerEvents reopened(ServerEvents before, String method)
      throws IOException, InterruptedException, RequestFailed {
    var request = request().GET().setHeader("Accept", EVENTS);
    if (!before.lastId().isEmpty()) request.setHeader("Last-Event-ID", before.lastId());
    var response = sent(request, limits.call());
    try (var in = response.body()) {
      // Many servers that do not speak by themselves say 404, which ends no session here.
      if (method.isEmpty() && response.statusCode() >= 400) throw misbehaved("does not speak.");
      check(response, in, method);
      var type = response.headers().firstValue("Content-Type").orElse("");
      if (response.statusCode() != 200 || !type.startsWith(EVENTS)) {
        throw misbehaved("does not take up a stream of events.");
      }
      return read(in, new ServerEvents(in, limits.messageBytes(), before.lastId(), before.retry()));
    }
  }

  private ServerEvents read(InputStream in, ServerEvents events) throws RequestFailed {
    try (in) {
      events.read(data -> {
        var message = wire.read(data);
        if (message != null) listener().onMessage(message);
      });
    } catch (BoundedLines.TooLong _) {
      throw misbehaved("sent more than %d bytes.".formatted(limits.messageBytes()));
    } catch (IOException _) {
      // It broke off, which is no different from its end.
    }
    return events;
  }

  /// Listens to what the server says by itself, as long as it offers that.
  private void listen() {
    var nothing = new ServerEvents(InputStream.nullInputStream(), 1, "", RETRY);
    try {
      for (var read = nothing; !isClosed; Thread.sleep(read.retry())) {
        read = reopened(read, "");
      }
    } catch (IOException | RequestFailed _) {
      // It offers none, or nobody is there: the next request says what is wrong.
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void forget(long id) {
    var thread = posts.remove(id);
    if (thread != null) thread.interrupt();
  }

  @Override
  public void close() {
    if (isClosed) return;
    isClosed = true;
    others.forEach(Thread::interrupt);
    posts.values().forEach(Thread::interrupt);
    if (!session.isEmpty()) McpThreads.start(server, "end", this::end);
  }

  private void end() {
    try {
      var request = request().DELETE();
      var token = credentials.token();
      if (token.isPresent()) request.setHeader("Authorization", "Bearer " + token.get());
      var _ = BoundedHttp.send(HTTP, request.build(), HttpResponse.BodyHandlers.discarding(), END);
    } catch (IOException | InterruptedException _) {
      // It ends its session by itself.
    }
  }
}
