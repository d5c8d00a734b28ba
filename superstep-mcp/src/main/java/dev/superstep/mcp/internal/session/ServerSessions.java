package dev.superstep.mcp.internal.session;

import dev.superstep.json.Json;
import dev.superstep.lock.Mutex;
import dev.superstep.mcp.internal.transport.HttpTransport;
import dev.superstep.mcp.internal.transport.McpThreads;
import dev.superstep.mcp.internal.transport.MessageLimits;
import dev.superstep.mcp.internal.transport.RequestFailed;
import dev.superstep.mcp.internal.transport.Transport;
import dev.superstep.mcp.internal.wire.Wire;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The session with a server, and the next one when it has ended: greets the server in the newest
/// revision that both speak. Safe for many threads.
public final class ServerSessions implements AutoCloseable {
  private static final String STATELESS = HttpTransport.STATELESS;
  private static final String REVISION = "2025-11-25";
  private static final String META = "io.modelcontextprotocol/";
  private static final Set<String> REVISIONS =
      Set.of(REVISION, "2025-06-18", "2025-03-26", "2024-11-05");
  private static final int UNSUPPORTED_VERSION = -32022;
  private static final int RESTARTS_MAX = 5;
  private static final Duration RESTARTS_TIME = Duration.ofMinutes(1);

  /// Old servers may say nothing to what they do not know.
  private static final Duration PROBE = Duration.ofSeconds(20);

  private static final Duration LISTENING = Duration.ofDays(1);
  private static final Duration RELISTEN = Duration.ofSeconds(1);

  private final Settings settings;
  private final Opener opener;
  private final ServerRequests answers;
  private final Listener listener;
  private final Mutex connecting = new Mutex();
  private final ArrayDeque<Long> starts = new ArrayDeque<>();
  private volatile @Nullable McpSession session;
  private volatile JsonNode greeting = Wire.object();
  private volatile boolean isClosed;

  /// The facts about a server that matter for its sessions.
  ///
  /// @param isStateless whether the revision without sessions is tried first
  /// @param start time until a server has answered the greeting
  /// @param capabilities that the server is told
  /// @param extensions that are offered to a server of the revision without sessions
  public record Settings(
      String server,
      boolean isStateless,
      Duration start,
      MessageLimits limits,
      Supplier<ObjectNode> capabilities,
      List<String> extensions) {}

  /// Opens a transport to the server.
  public interface Opener {
    /// Opens one.
    Transport open() throws InterruptedException, RequestFailed;
  }

  /// Hears of the sessions.
  public interface Listener {
    /// A session is about to begin.
    void onConnecting();

    /// Changes of the tools may have been missed.
    void onMissed();
  }

  /// Sessions with a server, none of which is open yet.
  public ServerSessions(
      Settings settings, Opener opener, ServerRequests answers, Listener listener) {
    this.settings = settings;
    this.opener = opener;
    this.answers = answers;
    this.listener = listener;
  }

  /// The answer of the server to the greeting.
  public JsonNode greeting() {
    return greeting;
  }

  /// Returns whether both speak the revision without sessions.
  public boolean isStateless() {
    return Wire.text(greeting, "protocolVersion").equals(STATELESS);
  }

  /// The end of what a server that is a program wrote on its error output.
  public String complaints() {
    var now = session;
    return now == null ? "" : now.transport().complaints();
  }

  /// The session, which is opened if there is none.
  public McpSession session() throws InterruptedException, RequestFailed {
    var now = session;
    if (now != null && now.isOpen()) return now;
    try (var _ = connecting.holdInterruptibly()) {
      now = session;
      if (now != null && now.isOpen()) return now;
      if (isClosed) throw notConnected("this connection was closed", null);
      checkRestarts();
      listener.onConnecting();
      var next = connected();
      session = next;
      if (isClosed) next.close();
      return next;
    }
  }

  private void checkRestarts() throws RequestFailed {
    long now = System.nanoTime();
    while (!starts.isEmpty() && now - starts.peekFirst() > RESTARTS_TIME.toNanos()) {
      starts.removeFirst();
    }
    if (starts.size() > RESTARTS_MAX) {
      throw notConnected("it ended " + starts.size() + " times within a minute", null);
    }
    starts.addLast(now);
  }

  private static RequestFailed notConnected(String why, @Nullable Throwable cause) {
    return new RequestFailed(new RequestFailed.NotConnected(why, cause));
  }

  private McpSession connected() throws InterruptedException, RequestFailed {
    var next = new McpSession(settings.server(), opener.open(), answers, settings.limits());
    boolean isGreeted = false;
    try {
      next.open();
      greet(next);
      isGreeted = true;
      return next;
    } catch (RequestFailed e) {
      throw switch (e.why()) {
        case RequestFailed.Unauthorized _,
            RequestFailed.Misbehaved _,
            RequestFailed.NotConnected _ ->
            e;
        default -> notConnected("", e);
      };
    } finally {
      if (!isGreeted) next.close();
    }
  }

  private void greet(McpSession next) throws InterruptedException, RequestFailed {
    if (settings.isStateless() && discovered(next)) return;
    var params = Wire.object();
    params.put("protocolVersion", REVISION);
    params.set("capabilities", settings.capabilities().get());
    params.putObject("clientInfo").put("name", "superstep").put("version", "0.1.0");
    var greeted = next.request("initialize", params, settings.start(), _ -> {});
    var agreed = Wire.text(greeted, "protocolVersion");
    if (!REVISIONS.contains(agreed)) {
      throw new RequestFailed(
          new RequestFailed.Misbehaved(
              "speaks revision `%s`, which is none of %s."
                  .formatted(Wire.cut(agreed, 40), REVISIONS.stream().sorted().toList())));
    }
    greeting = greeted;
    next.transport().onInitialized(agreed);
    next.notify("notifications/initialized", Wire.object());
  }

  /// Asks whether the server speaks the revision without sessions, and speaks it from then on.
  private boolean discovered(McpSession next) throws InterruptedException, RequestFailed {
    var meta = Wire.object().put(META + "protocolVersion", STATELESS);
    var capabilities = settings.capabilities().get();
    for (var extension : settings.extensions()) {
      capabilities.withObjectProperty("extensions").putObject(extension);
    }
    meta.set(META + "clientCapabilities", capabilities);
    meta.putObject(META + "clientInfo").put("name", "superstep").put("version", "0.1.0");
    next.saying(meta);
    next.transport().onInitialized(STATELESS);
    try {
      var start = settings.start();
      var most = start.compareTo(PROBE) < 0 ? start : PROBE;
      var found = discover(next, most);
      for (var version : found.path("supportedVersions")) {
        if (!version.asString("").equals(STATELESS)) continue;
        greeting = ((ObjectNode) found.deepCopy()).put("protocolVersion", STATELESS);
        McpThreads.start(settings.server(), "listen", () -> listen(next));
        return true;
      }
    } catch (RequestFailed e) {
      if (!isOfOlder(e)) throw e;
    }
    next.saying(null);
    next.transport().onInitialized("");
    return false;
  }

  /// Asks what the server is, and once more if it refuses this revision but says that it speaks it.
  private static JsonNode discover(McpSession next, Duration most)
      throws InterruptedException, RequestFailed {
    try {
      return next.request("server/discover", Wire.object(), most, _ -> {});
    } catch (RequestFailed e) {
      if (!isSupportedAnyway(e)) throw e;
      return next.request("server/discover", Wire.object(), most, _ -> {});
    }
  }

  private static boolean isSupportedAnyway(RequestFailed e) {
    if (!(e.why() instanceof RequestFailed.Refused refused)) return false;
    if (refused.error() != UNSUPPORTED_VERSION || refused.data().isEmpty()) return false;
    for (var version : Wire.tree(Json.parse(refused.data())).path("supported")) {
      if (version.asString("").equals(STATELESS)) return true;
    }
    return false;
  }

  private static boolean isOfOlder(RequestFailed e) {
    return e.why() instanceof RequestFailed.Refused
        || e.why() instanceof RequestFailed.Misbehaved
        || e.why() instanceof RequestFailed.TimedOut;
  }

  /// Hears of changes of the tools as long as the session is open.
  private void listen(McpSession from) {
    try {
      while (from.isOpen() && !isClosed) {
        var params = Wire.object();
        params.putObject("notifications").put("toolsListChanged", true);
        try {
          var _ = from.request("subscriptions/listen", params, LISTENING, _ -> {});
        } catch (RequestFailed e) {
          if (e.why() instanceof RequestFailed.Refused) return;
          if (e.why() instanceof RequestFailed.Misbehaved) return;
          // What changed in between is not known.
          listener.onMissed();
        }
        Thread.sleep(RELISTEN);
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    isClosed = true;
    var now = session;
    if (now != null) now.close();
  }
}
