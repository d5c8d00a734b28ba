package dev.superstep.mcp.server.internal.method;

import dev.superstep.json.Json;
import dev.superstep.mcp.internal.wire.Wire;
import dev.superstep.mcp.server.internal.call.ClientSession;
import dev.superstep.mcp.server.internal.protocol.Outlet;
import dev.superstep.mcp.server.internal.protocol.Params;
import dev.superstep.mcp.server.internal.protocol.RequestSlots;
import dev.superstep.mcp.server.internal.protocol.Revision;
import dev.superstep.mcp.server.internal.protocol.Rpc;
import dev.superstep.mcp.server.internal.protocol.RpcFailure;
import dev.superstep.mcp.server.internal.protocol.TaskExtension;
import dev.superstep.mcp.server.options.LogLevel;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Answers the messages of clients, whatever they come by. Safe for many threads.
public final class Protocol {
  public static final String LOCAL = "local";

  /// Methods that may take as long as the code of the program likes.
  public static final Set<String> SLOW =
      Set.of("tools/call", "tasks/result", "resources/read", "prompts/get", "completion/complete");

  private static final Logger LOG = LoggerFactory.getLogger("dev.superstep.mcp.server");
  private static final String ANONYMOUS = "anonymous";

  private final About about;
  private final Supplier<Offer> offer;
  private final ToolMethods tools;
  private final ContentMethods contents;

  /// A server's description of itself.
  public record About(String name, String version, String instructions) {}

  public Protocol(About about, Supplier<Offer> offer, ToolMethods tools, ContentMethods contents) {
    this.about = about;
    this.offer = offer;
    this.tools = tools;
    this.contents = contents;
  }

  About about() {
    return about;
  }

  /// Returns whether nobody knows who calls.
  static boolean isUnknown(String principal) {
    return principal.equals(ANONYMOUS);
  }

  /// Returns whether a message is a request. All others get no reply.
  public static boolean isRequest(JsonNode message) {
    return message.path("method").isString() && message.has("id");
  }

  /// Returns whether a message is one of the protocol at all.
  public static boolean isMessage(JsonNode message) {
    if (!message.isObject() || !message.path("jsonrpc").asString("").equals("2.0")) return false;
    var params = message.path("params");
    if (!params.isMissingNode() && !params.isObject()) return false;
    if (message.has("method")) {
      return message.path("method").isString()
          && (!message.has("id") || Rpc.isId(message.get("id")));
    }
    return Rpc.isId(message.get("id")) && (message.has("result") || message.has("error"));
  }

  /// Takes a notification, or an answer of the client.
  public void take(JsonNode message, ClientSession session) {
    if (!message.has("method")) {
      session.onAnswer(message);
    } else if (Wire.text(message, "method").equals("notifications/cancelled")) {
      session.cancel(key(message.path("params").path("requestId")));
    }
  }

  public static String key(JsonNode id) {
    return id.toString();
  }

  /// Answers a request, on this thread.
  ///
  /// @param outlet of what belongs to this request
  /// @return null if the client cancelled it or is gone
  public @Nullable ObjectNode answer(JsonNode message, ClientSession session, Outlet outlet) {
    var id = message.path("id");
    var running = session.begin(key(id));
    if (running == null) {
      return Rpc.error(id, Rpc.INVALID_REQUEST, "Another request with this id is at work.");
    }
    try (var _ = slot(message, session)) {
      return Rpc.result(id, result(message, session, outlet));
    } catch (RpcFailure failure) {
      return Rpc.error(id, failure);
    } catch (InterruptedException _) {
      return null;
    } catch (RuntimeException | StackOverflowError e) {
      LOG.error("Request {} failed", message.path("method"), e);
      return Rpc.error(id, Rpc.INTERNAL, "The server failed; its log tells why.");
    } finally {
      session.end(key(id));
    }
  }

  private static RequestSlots.Slot slot(JsonNode message, ClientSession session)
      throws RpcFailure, InterruptedException {
    return SLOW.contains(Wire.text(message, "method")) ? session.slots().take() : () -> {};
  }

  private ObjectNode result(JsonNode message, ClientSession session, Outlet outlet)
      throws RpcFailure, InterruptedException {
    var method = message.path("method").asString("");
    var params = message.path("params");
    if (method.equals("initialize")) return greeting(params, session);
    if (method.equals("ping")) return Wire.object();
    if (!session.isGreeted()) {
      throw new RpcFailure(Rpc.INVALID_REQUEST, "The first request must be `initialize`.");
    }
    return switch (method) {
      case "tools/list" -> tools.list(params, session.principal());
      case "tools/call" -> tools.call(params, session, outlet);
      case "tasks/get", "tasks/result", "tasks/cancel", "tasks/list" ->
          tools.task(method, params, session, outlet);
      case "resources/list" -> contents.resources(params, false);
      case "resources/templates/list" -> contents.resources(params, true);
      case "resources/read" -> contents.read(params);
      case "resources/subscribe" -> contents.subscribe(params, session);
      case "resources/unsubscribe" -> {
        session.unsubscribe(Params.required(params, "uri"));
        yield Wire.object();
      }
      case "prompts/list" -> contents.prompts(params);
      case "prompts/get" -> {
        var asking = contents.asking(params);
        yield asking.isPresent()
            ? prompt(asking.get(), params, session, outlet)
            : contents.prompt(params);
      }
      case "completion/complete" -> contents.complete(params);
      case "logging/setLevel" -> level(params, session);
      default -> throw new RpcFailure(Rpc.NO_METHOD, "There is no such method here.");
    };
  }

  private ObjectNode prompt(
      AskingPrompt prompt, JsonNode params, ClientSession session, Outlet outlet)
      throws RpcFailure, InterruptedException {
    var arguments = Json.of(contents.arguments(prompt.prompt(), params));
    return prompt.result(tools.ended(prompt.tool(), arguments, session, outlet, params));
  }

  private static ObjectNode level(JsonNode params, ClientSession session) throws RpcFailure {
    var name = Params.required(params, "level");
    for (var level : LogLevel.values()) {
      if (level.wireName().equals(name)) {
        session.level(level);
        return Wire.object();
      }
    }
    throw RpcFailure.params("There is no such level.");
  }

  private ObjectNode greeting(JsonNode params, ClientSession session) throws RpcFailure {
    if (session.isGreeted()) {
      throw new RpcFailure(Rpc.INVALID_REQUEST, "The session was initialized before.");
    }
    var wanted = Params.required(params, "protocolVersion");
    var revision =
        Revision.WITH_SESSIONS.contains(wanted) ? wanted : Revision.WITH_SESSIONS.getFirst();
    var capabilities = params.path("capabilities");
    session.greeted(revision, capabilities.isObject() ? capabilities : Wire.object());
    var json = Wire.object().put("protocolVersion", revision);
    json.set("capabilities", capabilities(revision, session.principal()));
    json.putObject("serverInfo").put("name", about.name()).put("version", about.version());
    if (!about.instructions().isEmpty()) json.put("instructions", about.instructions());
    return json;
  }

  /// The abilities of the server, as far as a client of this revision sees it.
  ObjectNode capabilities(String revision, String principal) {
    var now = offer.get();
    var json = Wire.object();
    if (revision.compareTo(Revision.TASKS) <= 0) json.putObject("logging");
    json.putObject("tools").put("listChanged", true);
    if (!now.resources().isEmpty()) {
      json.putObject("resources").put("subscribe", true).put("listChanged", true);
    }
    if (!now.prompts().isEmpty()) json.putObject("prompts").put("listChanged", true);
    if (!now.resources().isEmpty() || !now.prompts().isEmpty()) json.putObject("completions");
    if (revision.equals(Revision.MODERN) && now.hasTasks()) {
      json.putObject("extensions").putObject(TaskExtension.NAME);
    }
    if (revision.equals(Revision.TASKS) && now.hasTasks()) {
      var tasks = json.putObject("tasks");
      if (!isUnknown(principal)) tasks.putObject("list");
      tasks.putObject("cancel");
      tasks.putObject("requests").putObject("tools").putObject("call");
    }
    return json;
  }

  /// The reply to something that is no message.
  public static ObjectNode malformed() {
    return Rpc.error(
        JsonNodeFactory.instance.nullNode(),
        Rpc.INVALID_REQUEST,
        "The message is none of JSON-RPC 2.0.");
  }
}
