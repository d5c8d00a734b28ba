package dev.superstep.mcp.server.internal.transport;

import dev.superstep.json.Json;
import dev.superstep.mcp.internal.wire.Wire;
import dev.superstep.mcp.server.internal.method.ModernProtocol;
import dev.superstep.mcp.server.internal.method.Protocol;
import dev.superstep.mcp.server.internal.protocol.Outlet;
import dev.superstep.mcp.server.internal.protocol.Revision;
import dev.superstep.mcp.server.internal.protocol.Rpc;
import dev.superstep.mcp.server.internal.protocol.RpcFailure;
import dev.superstep.server.extension.ServerRequest;
import dev.superstep.server.extension.ServerResponse;
import dev.superstep.server.security.Access;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Requests of revision 2026-07-28 by HTTP: each stands alone, its headers repeat what is in its
/// body, and closing its stream cancels it. Safe for many threads.
public final class ModernHttp {
  private static final String VERSION = "Mcp-Protocol-Version";
  private static final String ENCODED = "=?base64?";
  private static final String MALFORMED = "\0";
  private static final int BAD_REQUEST = 400;
  private static final Duration EARLY = Duration.ofSeconds(1);

  private final ModernProtocol protocol;

  ModernHttp(ModernProtocol protocol) {
    this.protocol = protocol;
  }

  ServerResponse post(ServerRequest call, JsonNode message) {
    if (!Protocol.isMessage(message)) return reply(Protocol.malformed());
    if (!Protocol.isRequest(message)) return ServerResponse.empty(202);
    try {
      checkHeaders(call, message);
    } catch (RpcFailure failure) {
      return reply(Rpc.error(message.path("id"), failure));
    }
    checkAccess(call, message);
    var principal = call.principal().id();
    return ModernProtocol.STREAMED.contains(Wire.text(message, "method"))
        ? stream(message, principal)
        : reply(protocol.answer(message, principal, Outlet.NOBODY));
  }

  // --- Headers ---

  private void checkHeaders(ServerRequest call, JsonNode message) throws RpcFailure {
    var version = ModernProtocol.version(message);
    var named = call.header(VERSION).orElse("");
    if (!version.isString()) {
      if (!named.equals(Revision.MODERN)) throw ModernProtocol.unsupported(named);
      throw RpcFailure.params("`_meta` must have the protocol version and client capabilities.");
    }
    same(VERSION, named, version.asString());
    ModernProtocol.checkMeta(message);
    var method = Wire.text(message, "method");
    same("Mcp-Method", call.header("mcp-method").orElse(""), method);
    var params = message.path("params");
    switch (method) {
      case "tools/call", "prompts/get" -> name(call, params.path("name"));
      case "resources/read" -> name(call, params.path("uri"));
      case "tasks/get", "tasks/update", "tasks/cancel" -> name(call, params.path("taskId"));
      default -> {}
    }
    if (method.equals("tools/call")) parameters(call, params);
  }

  /// Checks the headers that repeat arguments, for tools whose schema wants that.
  private void parameters(ServerRequest call, JsonNode params) throws RpcFailure {
    var arguments = params.path("arguments");
    for (var one : protocol.headers(Wire.text(params, "name")).entrySet()) {
      var header = "Mcp-Param-" + one.getValue();
      var value = arguments.at(one.getKey());
      var found = call.header(header.toLowerCase(Locale.ROOT));
      boolean isGiven = value.isValueNode() && !value.isNull();
      if (found.isEmpty() && !isGiven) continue;
      if (found.isEmpty() || !isGiven || !decoded(found.get()).equals(value.asString())) {
        throw mismatch(header);
      }
    }
  }

  private static void name(ServerRequest call, JsonNode inBody) throws RpcFailure {
    same("Mcp-Name", decoded(call.header("mcp-name").orElse("")), inBody.asString(""));
  }

  private static void same(String header, String value, String inBody) throws RpcFailure {
    if (value.equals(inBody) && !value.isEmpty()) return;
    throw mismatch(header);
  }

  private static RpcFailure mismatch(String header) {
    return new RpcFailure(
        Rpc.HEADER_MISMATCH, "The header " + header + " is not what the body says.");
  }

  /// The text that a header carries.
  ///
  /// @return a text that no body has, if it is malformed
  private static String decoded(String value) {
    if (!value.startsWith(ENCODED) || !value.endsWith("?=")) return value;
    try {
      var text = value.substring(ENCODED.length(), value.length() - 2);
      // The decoder also takes what lacks its padding.
      if (text.length() % 4 != 0) return MALFORMED;
      return new String(Base64.getDecoder().decode(text), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException _) {
      return MALFORMED;
    }
  }

  private static void checkAccess(ServerRequest call, JsonNode message) {
    var action =
        switch (Wire.text(message, "method")) {
          case "tools/call" -> Access.Action.CREATE_RUN;
          case "tasks/update", "tasks/cancel" -> Access.Action.UPDATE;
          default -> Access.Action.READ;
        };
    var about = Json.of(Map.of("tool", Wire.text(message.path("params"), "name")));
    call.check(new Access(Access.Resource.THREADS, action, about));
  }

  // --- Replies ---

  private static ServerResponse reply(@Nullable ObjectNode reply) {
    if (reply == null) return ServerResponse.empty(202);
    int status =
        switch (reply.path("error").path("code").asInt(0)) {
          case 0, Rpc.INTERNAL, Rpc.BUSY -> 200;
          case Rpc.NO_METHOD -> 404;
          default -> BAD_REQUEST;
        };
    return ServerResponse.json(status, Wire.json(reply));
  }

  private ServerResponse stream(JsonNode message, String principal) {
    var worker = new AtomicReference<@Nullable Thread>();
    var stream =
        new EventStream(
            "",
            false,
            () -> {
              var thread = worker.get();
              if (thread != null) thread.interrupt();
            });
    // A request that fails at once, as most errors do, is answered by the status of its error.
    var early = new CompletableFuture<Optional<ObjectNode>>();
    Outlet outlet =
        event -> {
          early.complete(Optional.empty());
          stream.send(event);
        };
    var thread =
        Thread.ofVirtual()
            .name("superstep-mcp-request")
            .unstarted(() -> {
              try {
                var reply = protocol.answer(message, principal, outlet);
                if (reply == null) return;
                boolean isEarly = reply.has("error") && early.complete(Optional.of(reply));
                if (!isEarly) stream.send(reply);
              } finally {
                early.complete(Optional.empty());
                stream.end();
              }
            });
    worker.set(thread);
    thread.start();
    early.completeOnTimeout(Optional.empty(), EARLY.toMillis(), TimeUnit.MILLISECONDS);
    var failure = early.join();
    if (failure.isPresent()) return reply(failure.get());
    return ServerResponse.events(stream.after(0));
  }
}
