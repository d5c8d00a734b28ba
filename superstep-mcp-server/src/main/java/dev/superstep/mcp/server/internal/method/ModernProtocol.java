package dev.superstep.mcp.server.internal.method;

import dev.superstep.json.Json;
import dev.superstep.mcp.internal.wire.Wire;
import dev.superstep.mcp.server.internal.call.ClientCall;
import dev.superstep.mcp.server.internal.call.ClientSession;
import dev.superstep.mcp.server.internal.protocol.Outlet;
import dev.superstep.mcp.server.internal.protocol.Params;
import dev.superstep.mcp.server.internal.protocol.RequestSlots;
import dev.superstep.mcp.server.internal.protocol.Revision;
import dev.superstep.mcp.server.internal.protocol.Rpc;
import dev.superstep.mcp.server.internal.protocol.RpcFailure;
import dev.superstep.mcp.server.options.LogLevel;
import dev.superstep.mcp.server.options.McpHostLimits;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Answers requests of revision 2026-07-28, each of which says all that is needed: there are no
/// sessions, and what a call asks is in its result. Safe for many threads.
public final class ModernProtocol {
  /// Methods that are answered by a stream, since they take long or tell something on the way.
  public static final Set<String> STREAMED =
      Set.of(
          "tools/call",
          "resources/read",
          "prompts/get",
          "completion/complete",
          "subscriptions/listen");

  private static final Logger LOG = LoggerFactory.getLogger("dev.superstep.mcp.server");
  private static final Set<String> CACHEABLE =
      Set.of(
          "server/discover",
          "tools/list",
          "resources/list",
          "resources/templates/list",
          "resources/read",
          "prompts/list");

  private final Protocol protocol;
  private final ToolMethods tools;
  private final ContentMethods contents;
  private final ModernCalls calls;
  private final McpHostLimits limits;
  private final Set<Subscription> subscriptions = ConcurrentHashMap.newKeySet();
  private final Map<String, RequestSlots> slots = new ConcurrentHashMap<>();

  public ModernProtocol(
      Protocol protocol,
      ToolMethods tools,
      ContentMethods contents,
      ModernCalls calls,
      McpHostLimits limits) {
    this.protocol = protocol;
    this.tools = tools;
    this.contents = contents;
    this.calls = calls;
    this.limits = limits;
  }

  /// Returns whether a message is of this revision, or of one that says its version like it.
  public static boolean isModern(JsonNode message) {
    return !version(message).isMissingNode();
  }

  public static JsonNode version(JsonNode message) {
    return message.path("params").path("_meta").path(Revision.META + "protocolVersion");
  }

  public static RpcFailure unsupported(String requested) {
    var data = Wire.object().put("requested", requested);
    var list = data.putArray("supported");
    Revision.all().forEach(list::add);
    return new RpcFailure(Rpc.UNSUPPORTED_VERSION, "Unsupported protocol version", data);
  }

  /// Answers a request, on this thread.
  ///
  /// @param outlet of what belongs to this request
  /// @return null if the client is gone
  public @Nullable ObjectNode answer(JsonNode message, String principal, Outlet outlet) {
    var id = message.path("id");
    try {
      return Rpc.result(id, completed(message, principal, outlet));
    } catch (RpcFailure failure) {
      return Rpc.error(id, failure);
    } catch (InterruptedException _) {
      return null;
    } catch (RuntimeException | StackOverflowError e) {
      LOG.error("Request {} failed", message.path("method"), e);
      return Rpc.error(id, Rpc.INTERNAL, "The server failed; its log tells why.");
    }
  }

  /// Checks what each request must say of itself.
  public static void checkMeta(JsonNode message) throws RpcFailure {
    var version = version(message);
    if (version.isString() && !version.asString().equals(Revision.MODERN)) {
      throw unsupported(version.asString());
    }
    var meta = message.path("params").path("_meta");
    if (!version.isString() || !meta.path(Revision.META + "clientCapabilities").isObject()) {
      throw RpcFailure.params("`_meta` must have the protocol version and client capabilities.");
    }
  }

  private ObjectNode completed(JsonNode message, String principal, Outlet outlet)
      throws RpcFailure, InterruptedException {
    var method = message.path("method").asString("");
    checkMeta(message);
    var result = result(method, message, principal, outlet);
    if (!result.has("resultType")) result.put("resultType", "complete");
    if (CACHEABLE.contains(method)) result.put("ttlMs", 0).put("cacheScope", "private");
    result
        .withObjectProperty("_meta")
        .putObject(Revision.META + "serverInfo")
        .put("name", protocol.about().name())
        .put("version", protocol.about().version());
    return result;
  }

  private ObjectNode result(String method, JsonNode message, String principal, Outlet outlet)
      throws RpcFailure, InterruptedException {
    var params = message.path("params");
    return switch (method) {
      case "server/discover" -> discovered(principal);
      case "tools/list" -> tools.list(params, principal);
      case "resources/list" -> contents.resources(params, false);
      case "resources/templates/list" -> contents.resources(params, true);
      case "prompts/list" -> contents.prompts(params);
      case "subscriptions/listen" -> listen(message, outlet);
      case "tools/call",
          "resources/read",
          "prompts/get",
          "completion/complete",
          "tasks/get",
          "tasks/update",
          "tasks/cancel" -> {
        try (var _ = slots(principal).take()) {
          yield slow(method, params, principal, outlet);
        }
      }
      default -> throw new RpcFailure(Rpc.NO_METHOD, "There is no such method here.");
    };
  }

  /// Requests have no session, so those of one principal are counted together.
  private RequestSlots slots(String principal) {
    return slots.computeIfAbsent(principal, _ -> new RequestSlots(limits.tasks(), limits.queue()));
  }

  private ObjectNode slow(String method, JsonNode params, String principal, Outlet outlet)
      throws RpcFailure, InterruptedException {
    return switch (method) {
      case "tools/call" -> calls.call(params, caller(params, principal, outlet));
      case "resources/read" -> {
        try {
          yield contents.read(params);
        } catch (RpcFailure failure) {
          if (failure.code() != Rpc.NO_RESOURCE) throw failure;
          var data = Wire.object().put("uri", Wire.text(params, "uri"));
          throw new RpcFailure(Rpc.INVALID_PARAMS, failure.text(), data);
        }
      }
      case "prompts/get" -> {
        var asking = contents.asking(params);
        yield asking.isPresent()
            ? prompt(asking.get(), params, caller(params, principal, outlet))
            : contents.prompt(params);
      }
      case "tasks/get", "tasks/update", "tasks/cancel" ->
          calls.task(method, params, caller(params, principal, outlet));
      default -> contents.complete(params);
    };
  }

  private ObjectNode prompt(AskingPrompt prompt, JsonNode params, ClientCall by)
      throws RpcFailure, InterruptedException {
    var arguments = contents.arguments(prompt.prompt(), params);
    var result = calls.ended(prompt.tool(), params, Json.of(arguments), by, false);
    return result.path("resultType").isMissingNode() ? prompt.result(result) : result;
  }

  private ObjectNode discovered(String principal) {
    var json = Wire.object();
    var list = json.putArray("supportedVersions");
    Revision.all().forEach(list::add);
    json.set("capabilities", protocol.capabilities(Revision.MODERN, principal));
    json.putObject("serverInfo")
        .put("name", protocol.about().name())
        .put("version", protocol.about().version());
    var instructions = protocol.about().instructions();
    return instructions.isEmpty() ? json : json.put("instructions", instructions);
  }

  // --- Calls ---

  /// The arguments of a tool that its callers repeat in headers: places in the arguments, and
  /// names.
  public Map<String, String> headers(String tool) {
    return tools.headers(tool);
  }

  private ClientCall caller(JsonNode params, String principal, Outlet outlet) {
    var client = new ClientSession("", principal, Outlet.NOBODY, limits);
    var meta = params.path("_meta");
    client.greeted(Revision.MODERN, meta.path(Revision.META + "clientCapabilities"));
    client.level(level(meta));
    var token = Params.progressToken(params);
    return new ClientCall(client, principal, outlet, token, limits.notifications());
  }

  private static @Nullable LogLevel level(JsonNode meta) {
    var name = Wire.text(meta, Revision.META + "logLevel");
    for (var level : LogLevel.values()) if (level.wireName().equals(name)) return level;
    return null;
  }

  // --- Changes ---

  /// Tells changes until the client or the server ends it.
  private ObjectNode listen(JsonNode message, Outlet outlet)
      throws RpcFailure, InterruptedException {
    var filter = message.path("params").path("notifications");
    var subscription = Subscription.of(message.path("id"), filter, outlet);
    subscriptions.add(subscription);
    try {
      subscription.acknowledge(filter);
      new CountDownLatch(1).await();
      return Wire.object();
    } finally {
      subscriptions.remove(subscription);
    }
  }

  public void tell(String method, ObjectNode params) {
    for (var one : subscriptions) one.tell(method, params);
  }
}
