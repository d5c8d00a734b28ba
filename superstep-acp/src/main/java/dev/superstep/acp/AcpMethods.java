package dev.superstep.acp;

import dev.superstep.acp.Connection.Work;
import dev.superstep.json.SuperstepException;
import dev.superstep.message.Message;
import dev.superstep.message.Messages;
import dev.superstep.run.ThreadState;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The methods of an agent for one editor. One thread begins them; their work may be done by many.
final class AcpMethods implements Connection.Methods {
  static final int VERSION = 1;
  private static final Logger LOG = LoggerFactory.getLogger("dev.superstep.acp");
  private static final long END_MILLIS = 10_000;
  private static final int NAME_MAX = 100;

  private final Served served;
  private final Connection connection;
  private final StoredSessions stored;
  private final Map<String, Session> sessions = new ConcurrentHashMap<>();
  private volatile Optional<Client> client = Optional.empty();

  AcpMethods(Served served, Connection connection) {
    this.served = served;
    this.connection = connection;
    this.stored = new StoredSessions(served.store(), served.name(), served.limits().page());
  }

  /// The methods that the editor offers.
  private record Client(boolean reads, boolean writes, boolean terminals, boolean forms) {}

  @Override
  public Work begin(String method, JsonNode params) throws RpcFailure {
    if (method.equals("initialize")) return Work.quick(() -> initialize(params));
    if (client.isEmpty()) {
      throw new RpcFailure(RpcFailure.INVALID_REQUEST, "Send `initialize` first.");
    }
    return switch (method) {
      case "authenticate" -> throw RpcFailure.params("This agent needs no authentication.");
      case "session/new" -> Work.quick(() -> open(params));
      case "session/load" -> loaded(params, true);
      case "session/resume" -> loaded(params, false);
      case "session/list" -> Work.slow(() -> list(params));
      case "session/prompt" -> prompt(params);
      case "session/close" -> Work.slow(() -> close(params));
      case "session/delete" -> Work.slow(() -> delete(params));
      default ->
          throw new RpcFailure(
              RpcFailure.NO_METHOD,
              "There is no method `%s`.".formatted(Wire.cut(method, NAME_MAX)));
    };
  }

  @Override
  public void heard(String method, JsonNode params) {
    if (!method.equals("session/cancel")) return;
    var session = sessions.get(Wire.text(params, "sessionId"));
    if (session != null) session.turn().ifPresent(Turn::cancel);
  }

  // --- The connection ---

  private JsonNode initialize(JsonNode params) throws RpcFailure {
    if (client.isPresent()) {
      throw new RpcFailure(RpcFailure.INVALID_REQUEST, "The connection is initialized already.");
    }
    if (!params.path("protocolVersion").isIntegralNumber()) {
      throw RpcFailure.params("`protocolVersion` must be a whole number.");
    }
    var offered = params.path("clientCapabilities");
    var files = offered.path("fs");
    client =
        Optional.of(
            new Client(
                files.path("readTextFile").asBoolean(false),
                files.path("writeTextFile").asBoolean(false),
                offered.path("terminal").asBoolean(false),
                offered.path("elicitation").path("form").isObject()));
    // One that speaks other versions alone leaves when it sees this one.
    var json = Wire.object().put("protocolVersion", VERSION);
    var can = json.putObject("agentCapabilities").put("loadSession", true);
    can.putObject("promptCapabilities")
        .put("image", served.images())
        .put("audio", false)
        .put("embeddedContext", true);
    can.putObject("mcpCapabilities").put("http", false).put("sse", false);
    var onSessions = can.putObject("sessionCapabilities");
    for (var name : List.of("list", "resume", "close", "delete")) onSessions.putObject(name);
    json.putArray("authMethods");
    json.putObject("agentInfo")
        .put("name", served.name())
        .put("title", served.title())
        .put("version", served.version());
    return json;
  }

  /// Stops what is at work, so that it can go on later.
  void end() {
    var turns = sessions.values().stream().flatMap(one -> one.turn().stream()).toList();
    turns.forEach(Turn::stop);
    long until = System.nanoTime() + END_MILLIS * 1_000_000;
    try {
      for (var turn : turns) {
        if (!turn.awaitEnd(Math.max(0, (until - System.nanoTime()) / 1_000_000))) {
          LOG.warn("A turn does not end, and is left");
        }
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  // --- Sessions ---

  private JsonNode open(JsonNode params) throws RpcFailure {
    var folder = folder(params);
    var session = session(StoredSessions.newId(), folder, "", params);
    add(session);
    return Wire.object().put("sessionId", session.id());
  }

  private void add(Session session) throws RpcFailure {
    if (!sessions.containsKey(session.id()) && sessions.size() >= served.limits().sessions()) {
      throw new RpcFailure(
          RpcFailure.BUSY,
          "There are %d open sessions. Close one.".formatted(served.limits().sessions()));
    }
    sessions.put(session.id(), session);
  }

  private static Path folder(JsonNode params) throws RpcFailure {
    if (!params.path("additionalDirectories").isEmpty()) {
      throw RpcFailure.params("This agent takes no `additionalDirectories`.");
    }
    try {
      var folder = Path.of(params.path("cwd").asString(""));
      if (folder.isAbsolute() && Files.isDirectory(folder)) return folder.normalize();
    } catch (InvalidPathException _) {
      // Told below.
    }
    throw RpcFailure.params("`cwd` must be the absolute path of a folder.");
  }

  private Session session(String id, Path folder, String title, JsonNode params) throws RpcFailure {
    var offers = client.orElseThrow();
    var limits = served.limits();
    var servers = servers(params);
    var access =
        new SessionFiles.Access(connection, id, offers.reads(), offers.writes(), limits.files());
    var files = new SessionFiles(access, folder);
    var form = new ToolCallForm(folder, files, served.kinds(), limits.shownCharacters());
    var updates = new Updates(connection, id, form);
    var terminals = new Terminals(connection, id, offers.terminals(), limits.files());
    var editor = new EditorSession(id, folder, files, terminals, offers.forms());
    return new Session(served, editor, updates, title, servers);
  }

  private static List<String> servers(JsonNode params) throws RpcFailure {
    var given = params.path("mcpServers");
    if (!given.isMissingNode() && !given.isArray()) {
      throw RpcFailure.params("`mcpServers` must be a list.");
    }
    var names = new ArrayList<String>();
    for (var server : given) names.add(Wire.cut(Wire.text(server, "name"), NAME_MAX));
    if (!names.isEmpty()) LOG.warn("The MCP servers of the editor are not started: {}", names);
    return names;
  }

  /// A session of an earlier connection, or of another process.
  private Work loaded(JsonNode params, boolean replays) throws RpcFailure {
    var folder = folder(params);
    var id = Wire.text(params, "sessionId");
    var known = stored.find(id).orElseThrow(() -> noSession(id)).checkpoint().metadata();
    var before = known.getOrDefault(StoredSessions.FOLDER, "");
    if (!before.equals(folder.toString())) {
      throw RpcFailure.params(
          "Session %s belongs to the folder %s. Load it there.".formatted(id, before));
    }
    var title = known.getOrDefault(StoredSessions.TITLE, "");
    var session = session(id, folder, title, params);
    var turn = new Turn(served, session, connection, true);
    session.begin(turn);
    var live = sessions.get(id);
    if (live != null && live.turn().isPresent()) {
      throw new RpcFailure(
          RpcFailure.INVALID_REQUEST, "A turn of this session is at work. Cancel it, or wait.");
    }
    add(session);
    return new Work(
        () -> replay(session, turn, replays),
        true,
        turn::stop,
        () -> {
          if (!turn.isOver()) goOn(turn);
        });
  }

  private static void goOn(Turn turn) {
    Thread.ofVirtual().name("superstep-acp-turn").start(turn::goOn);
  }

  private static RpcFailure noSession(String id) {
    return new RpcFailure(
        RpcFailure.NOT_FOUND, "There is no session `" + Wire.cut(id, NAME_MAX) + "`.");
  }

  private JsonNode replay(Session session, Turn turn, boolean shows) throws RpcFailure {
    try {
      var state = served.source().graph().state(session.options());
      if (state.isPresent()) {
        var messages = messages(state.get());
        turn.known(messages);
        if (shows) {
          session.updates().replay(messages);
          if (served.source().conversation().isEmpty() && !Turn.isUnfinished(state.get())) {
            var ending = served.source().ending().apply(state.get().state());
            session.updates().said("", ending);
          }
        } else {
          for (var call : Messages.openCalls(messages)) {
            session.updates().calls().announce("", call);
          }
        }
        inside("", state.get(), session.updates());
        if (!Turn.isUnfinished(state.get())) session.updates().calls().endAll(true);
        if (shows) served.source().todos(state.get().state()).ifPresent(session.updates()::plan);
      }
      // So that a prompt need not wait for a turn that has nothing to do.
      if (state.filter(Turn::isUnfinished).isEmpty()) turn.leave();
      return Wire.object();
    } catch (SuperstepException e) {
      sessions.remove(session.id());
      turn.leave();
      throw new RpcFailure(RpcFailure.INTERNAL, String.valueOf(e.getMessage()));
    }
  }

  private List<Message> messages(ThreadState state) {
    return served
        .source()
        .conversation()
        .flatMap(channel -> state.state().find(channel))
        .orElse(List.of());
  }

  /// The calls of agents inside that wait.
  private void inside(String scope, ThreadState state, Updates updates) {
    state
        .inside()
        .forEach((name, inner) -> {
          var path = scope.isEmpty() ? name : scope + "/" + name;
          for (var messages : served.source().inside(inner.state())) {
            for (var call : Messages.openCalls(messages)) updates.calls().announce(path, call);
          }
          inside(path, inner, updates);
        });
  }

  private JsonNode list(JsonNode params) throws RpcFailure {
    return stored.list(Wire.text(params, "cwd"), Wire.text(params, "cursor"));
  }

  private Session session(JsonNode params) throws RpcFailure {
    var id = Wire.text(params, "sessionId");
    var session = sessions.get(id);
    if (session == null) throw noSession(id);
    return session;
  }

  private JsonNode close(JsonNode params) throws RpcFailure, InterruptedException {
    var session = session(params);
    quiet(session);
    sessions.remove(session.id());
    return Wire.object();
  }

  private static void quiet(Session session) throws RpcFailure, InterruptedException {
    var turn = session.turn();
    if (turn.isEmpty()) return;
    turn.get().cancel();
    if (!turn.get().awaitEnd(END_MILLIS)) {
      throw new RpcFailure(RpcFailure.BUSY, "The turn of this session does not end. Try again.");
    }
  }

  private JsonNode delete(JsonNode params) throws RpcFailure, InterruptedException {
    var id = Wire.text(params, "sessionId");
    var live = sessions.get(id);
    if (live != null) quiet(live);
    else if (stored.find(id).isEmpty()) throw noSession(id);
    sessions.remove(id);
    if (stored.find(id).isPresent()) stored.delete(id);
    return Wire.object();
  }

  // --- Prompts ---

  private Work prompt(JsonNode params) throws RpcFailure {
    var session = session(params);
    var prompt = PromptContent.read(params.path("prompt"), served.images());
    var turn = new Turn(served, session, connection, false);
    session.begin(turn);
    return new Work(() -> stopReason(turn.prompt(prompt)), true, turn::cancel, () -> {});
  }

  private static ObjectNode stopReason(String reason) {
    return Wire.object().put("stopReason", reason);
  }
}
