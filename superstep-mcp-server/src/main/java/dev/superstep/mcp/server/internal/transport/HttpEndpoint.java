package dev.superstep.mcp.server.internal.transport;

import dev.superstep.json.Json;
import dev.superstep.mcp.internal.wire.Wire;
import dev.superstep.mcp.server.internal.method.ModernProtocol;
import dev.superstep.mcp.server.internal.method.Protocol;
import dev.superstep.mcp.server.internal.protocol.Outlet;
import dev.superstep.mcp.server.internal.protocol.Revision;
import dev.superstep.mcp.server.internal.protocol.Rpc;
import dev.superstep.mcp.server.options.McpHostLimits;
import dev.superstep.server.extension.ServerExtension;
import dev.superstep.server.extension.ServerRequest;
import dev.superstep.server.extension.ServerResponse;
import dev.superstep.server.extension.ServerRoutes;
import dev.superstep.server.security.Access;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Speaks streamable HTTP. Safe for many threads.
public final class HttpEndpoint implements ServerExtension {
  private static final String SESSION = "Mcp-Session-Id";
  private static final String VERSION = "Mcp-Protocol-Version";
  private static final int ID_BYTES = 16;
  private static final int BATCH_MAX = 100;
  private static final Duration EVICTED_AFTER = Duration.ofMinutes(1);
  private static final SecureRandom RANDOM = new SecureRandom();

  private final ServerCore host;
  private final String path;
  private final McpHostLimits limits;
  private final Map<String, HttpSession> sessions = new ConcurrentHashMap<>();

  HttpEndpoint(ServerCore host, String path, McpHostLimits limits) {
    this.host = host;
    this.path = path;
    this.limits = limits;
  }

  @Override
  public void addTo(ServerRoutes routes) {
    for (var method : List.of("POST", "GET", "DELETE")) routes.on(method, path, this::handle);
  }

  @Override
  public String path() {
    return path;
  }

  @Override
  public void start() {
    host.takeOver();
  }

  private ServerResponse handle(ServerRequest call) {
    return switch (call.method()) {
      case "POST" -> post(call);
      case "GET" -> listen(call);
      default -> end(call);
    };
  }

  // --- Messages ---

  private ServerResponse post(ServerRequest call) {
    if (!accepts(call, "application/json") || !accepts(call, "text/event-stream")) {
      return refused(406, "Accept must have application/json and text/event-stream.");
    }
    var type = call.header("content-type").orElse("").toLowerCase(Locale.ROOT);
    if (!type.startsWith("application/json")) {
      return refused(415, "Content-Type must be application/json.");
    }
    var message = call.body().map(Wire::tree);
    if (message.isEmpty()) return refused(400, "The request has no body.");
    var version = call.header(VERSION);
    boolean isLegacy = version.isEmpty() || Revision.WITH_SESSIONS.contains(version.get());
    if (!isLegacy || ModernProtocol.isModern(message.get())) {
      return new ModernHttp(host.modern()).post(call, message.get());
    }
    if (message.get().isArray()) return batch(call, message.get());
    if (!Protocol.isMessage(message.get())) return malformed();
    return Wire.text(message.get(), "method").equals("initialize")
        ? greet(call, message.get())
        : message(call, message.get());
  }

  private static boolean accepts(ServerRequest call, String type) {
    var accept = call.header("accept").orElse("").toLowerCase(Locale.ROOT);
    return accept.contains(type) || accept.contains("*/*");
  }

  private static ServerResponse malformed() {
    return ServerResponse.json(400, Wire.json(Protocol.malformed()));
  }

  private static ServerResponse refused(int status, String why) {
    var error = Rpc.error(null, Rpc.BUSY, why);
    return ServerResponse.json(status, Wire.json(error));
  }

  private ServerResponse greet(ServerRequest call, JsonNode message) {
    if (!Protocol.isRequest(message)) return malformed();
    if (!makeRoom()) return refused(503, "The server has as many sessions as it may.");
    var bytes = new byte[ID_BYTES];
    RANDOM.nextBytes(bytes);
    var id = HexFormat.of().formatHex(bytes);
    var session = new HttpSession(id, call.principal().id(), limits);
    var reply = host.protocol().answer(message, session.client(), Outlet.NOBODY);
    if (reply == null || reply.has("error")) {
      return reply == null ? malformed() : ServerResponse.json(200, Wire.json(reply));
    }
    sessions.put(id, session);
    host.add(session.client());
    return ServerResponse.json(200, Wire.json(reply)).with(SESSION, id);
  }

  private boolean makeRoom() {
    drop(limits.idle());
    if (sessions.size() < limits.sessions()) return true;
    drop(EVICTED_AFTER);
    return sessions.size() < limits.sessions();
  }

  private void drop(Duration idle) {
    for (var one : sessions.values()) if (one.idleNanos() > idle.toNanos()) close(one);
  }

  private void close(HttpSession session) {
    sessions.remove(session.client().id());
    host.remove(session.client());
    session.close();
  }

  /// The session of a request. One of somebody else is as if it were not there.
  private Optional<HttpSession> session(ServerRequest call) {
    var found = call.header(SESSION).map(sessions::get);
    if (found.isEmpty() || !found.get().client().principal().equals(call.principal().id())) {
      return Optional.empty();
    }
    found.get().use();
    return found;
  }

  private static ServerResponse noSession(ServerRequest call) {
    return call.header(SESSION).isEmpty()
        ? refused(400, "The header " + SESSION + " is missing; send `initialize` first.")
        : refused(404, "There is no such session; send `initialize` again.");
  }

  private ServerResponse message(ServerRequest call, JsonNode message) {
    var session = session(call);
    if (session.isEmpty()) return noSession(call);
    var client = session.get().client();
    if (!Protocol.isRequest(message)) {
      host.protocol().take(message, client);
      return ServerResponse.empty(202);
    }
    check(call, message);
    return Protocol.SLOW.contains(Wire.text(message, "method"))
        ? stream(session.get(), message)
        : reply(host.protocol().answer(message, client, session.get().general()));
  }

  private static ServerResponse reply(@org.jspecify.annotations.Nullable ObjectNode reply) {
    return reply == null ? ServerResponse.empty(202) : ServerResponse.json(200, Wire.json(reply));
  }

  private static void check(ServerRequest call, JsonNode message) {
    var action =
        switch (Wire.text(message, "method")) {
          case "tools/call" -> Access.Action.CREATE_RUN;
          case "tasks/cancel" -> Access.Action.UPDATE;
          default -> Access.Action.READ;
        };
    var about = Json.of(Map.of("tool", Wire.text(message.path("params"), "name")));
    call.check(new Access(Access.Resource.THREADS, action, about));
  }

  private ServerResponse stream(HttpSession session, JsonNode message) {
    var stream = session.open();
    if (stream == null) {
      var error = Rpc.error(message.get("id"), Rpc.BUSY, "Too many requests are at work.");
      return ServerResponse.json(200, Wire.json(error));
    }
    Thread.ofVirtual()
        .name("superstep-mcp-request")
        .start(() -> {
          try {
            var reply = host.protocol().answer(message, session.client(), stream);
            if (reply != null) stream.send(reply);
          } finally {
            stream.end();
            session.use();
          }
        });
    return ServerResponse.events(stream.after(0));
  }

  /// Revision 2025-03-26 has batches.
  private ServerResponse batch(ServerRequest call, JsonNode all) {
    var session = session(call);
    if (session.isEmpty()) return noSession(call);
    var client = session.get().client();
    boolean isAllowed =
        client.revision().equals("2025-03-26") && !all.isEmpty() && all.size() <= BATCH_MAX;
    if (!isAllowed) return malformed();
    for (var one : all) if (Protocol.isMessage(one) && Protocol.isRequest(one)) check(call, one);
    var replies = JsonNodeFactory.instance.arrayNode();
    for (var one : all) {
      if (!Protocol.isMessage(one)) replies.add(Protocol.malformed());
      else if (!Protocol.isRequest(one)) host.protocol().take(one, client);
      else {
        var reply = host.protocol().answer(one, client, session.get().general());
        if (reply != null) replies.add(reply);
      }
    }
    return replies.isEmpty()
        ? ServerResponse.empty(202)
        : ServerResponse.json(200, Wire.json(replies));
  }

  // --- Streams and the end ---

  private ServerResponse listen(ServerRequest call) {
    if (!accepts(call, "text/event-stream")) return refused(406, "Accept text/event-stream.");
    var session = session(call);
    if (session.isEmpty()) return noSession(call);
    var last = call.header("last-event-id");
    if (last.isEmpty()) {
      return ServerResponse.events(session.get().general().newest());
    }
    var place = session.get().find(last.get());
    return place.isEmpty()
        ? refused(404, "There is no such event any more.")
        : ServerResponse.events(place.get().stream().after(place.get().number()));
  }

  private ServerResponse end(ServerRequest call) {
    var session = session(call);
    if (session.isEmpty()) return noSession(call);
    close(session.get());
    return ServerResponse.empty(204);
  }

  @Override
  public void close() {
    for (var one : sessions.values()) close(one);
    host.stop();
  }
}
