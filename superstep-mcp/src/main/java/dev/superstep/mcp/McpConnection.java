package dev.superstep.mcp;

import dev.superstep.json.Json;
import dev.superstep.mcp.internal.wire.Wire;
import dev.superstep.message.Content;
import dev.superstep.node.Question;
import dev.superstep.schema.JsonSchema;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolHandler;
import dev.superstep.tool.ToolResult;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A connection with an MCP server. When the server has died or its session is over, the next
/// request connects again; a request that was on its way then has failed, and is not sent twice.
/// Safe for many threads. Close it.
public final class McpConnection implements AutoCloseable {
  static final String STATELESS = "2026-07-28";
  private static final String REVISION = "2025-11-25";
  private static final String META = "io.modelcontextprotocol/";
  private static final Set<String> REVISIONS =
      Set.of(REVISION, "2025-06-18", "2025-03-26", "2024-11-05");
  private static final int RESTARTS_MAX = 5;
  private static final Duration RESTARTS_TIME = Duration.ofMinutes(1);

  /// Old servers may say nothing to what they do not know.
  private static final Duration PROBE = Duration.ofSeconds(20);

  private static final Duration LISTENING = Duration.ofDays(1);
  private static final Duration RELISTEN = Duration.ofSeconds(1);
  private static final int INSTRUCTIONS_MAX = 10_000;
  private static final int URL_REQUIRED = -32042;

  private final McpServer server;
  private final ServerLists lists;
  private final ResultContent content;
  private final ServerAnswers answers;
  private final ReentrantLock connecting = new ReentrantLock();
  private final ReentrantLock asking = new ReentrantLock();
  private final ArrayDeque<Long> starts = new ArrayDeque<>();
  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
  private final AtomicLong changes = new AtomicLong();
  private final AtomicBoolean isTelling = new AtomicBoolean();
  private volatile @Nullable McpSession session;
  private volatile JsonNode greeting = Wire.object();
  private volatile @Nullable ServerTools known;
  private volatile boolean isClosed;

  private McpConnection(McpServer server) {
    this.server = server;
    this.lists = new ServerLists(server, this::request);
    this.content = new ResultContent(server.limits());
    this.answers = new ServerAnswers(server, this::onToolsChanged);
  }

  static McpConnection open(McpServer server) throws InterruptedException {
    var connection = new McpConnection(server);
    var _ = connection.session();
    return connection;
  }

  // --- The server ---

  /// The revision of the protocol that both speak.
  public String revision() {
    return Wire.text(greeting, "protocolVersion");
  }

  /// The name and version by which the server calls itself.
  public String serverInfo() {
    var info = greeting.path("serverInfo");
    return McpSession.cut(Wire.text(info, "name") + " " + Wire.text(info, "version"), 200).strip();
  }

  /// The text of the server about its use: not to be trusted, and so in no prompt by itself.
  public String instructions() {
    return McpSession.cut(Wire.text(greeting, "instructions"), INSTRUCTIONS_MAX);
  }

  /// The end of what a server that is a program wrote on its error output.
  public String complaints() {
    var now = session;
    return now == null ? "" : now.transport().complaints();
  }

  // --- Tools ---

  /// The tools of the server for an agent, as they are now. Their names begin with the name of the
  /// server.
  public List<Tool> tools() throws InterruptedException {
    return tools(
        tool -> new McpToolCall(server, this, tool),
        McpQuestions.TOOL_CHANGED,
        McpQuestions.ELICITED);
  }

  /// The tools with other code.
  List<Tool> tools(Function<String, ToolHandler<Json>> calls, Question<?, ?>... questions)
      throws InterruptedException {
    return known().bound(server, calls, questions);
  }

  /// The tools as the server describes them.
  public List<McpTool> definitions() throws InterruptedException {
    return List.copyOf(known().byName().values());
  }

  /// The tools as the server describes them, by the names that models see.
  public Map<String, McpTool> named() throws InterruptedException {
    return known().named(server);
  }

  /// The tools that are not as they were approved.
  public List<McpToolChange> changes() throws InterruptedException {
    var changes = new ArrayList<McpToolChange>();
    for (var tool : known().byName().values()) {
      var approved = server.pins().approved(server.name(), tool.name());
      if (approved.filter(tool.definition()::equals).isPresent()) continue;
      changes.add(new McpToolChange(server.name(), tool.name(), approved, tool.definition()));
    }
    return List.copyOf(changes);
  }

  /// The tools that are left out because they cannot be used, with the reasons.
  public List<String> skipped() throws InterruptedException {
    return known().skipped();
  }

  /// Hears, on a thread of its own, that the list of tools has changed.
  public void onToolsChanged(Runnable listener) {
    listeners.add(listener);
  }

  /// Approves a tool as the server describes it now.
  ///
  /// @param tool by the name that the server gives it
  /// @return whether there is such a tool
  public boolean approve(String tool) throws InterruptedException {
    var offered = offered(tool);
    offered.ifPresent(now -> server.pins().approve(server.name(), tool, now.definition()));
    return offered.isPresent();
  }

  /// Calls a tool without an agent: nobody approves it, and a change of the tool is not noticed.
  ///
  /// @param tool by the name that the server gives it
  /// @param arguments an object
  /// @throws McpFailed if the server does not do it; what it calls an error is a result
  public ToolResult call(String tool, Json arguments) throws InterruptedException {
    var call = new Call(tool, arguments, server.limits().call(), Optional.empty());
    return call(call, _ -> {}, null).result();
  }

  /// A call of a tool.
  ///
  /// @param most it may take
  /// @param rest by which an earlier attempt goes on
  record Call(String tool, Json arguments, Duration most, Optional<Json> rest) {}

  Optional<McpTool> offered(String tool) throws InterruptedException {
    return Optional.ofNullable(known().byName().get(tool));
  }

  private ServerTools known() throws InterruptedException {
    // First, so that the tools of a server that is started again are read again.
    var _ = session();
    var now = known;
    if (now != null) return now;
    long before = changes.get();
    boolean hasTools = greeting.path("capabilities").has("tools");
    var told = hasTools ? lists.all("tools/list", "tools") : List.<JsonNode>of();
    var read = ServerTools.of(server, told);
    // A list that changed while it was read is read again the next time.
    if (changes.get() == before) known = read;
    return read;
  }

  private void onToolsChanged() {
    changes.incrementAndGet();
    known = null;
    if (listeners.isEmpty() || !isTelling.compareAndSet(false, true)) return;
    McpThreads.start(
        server.name(),
        "changed",
        () -> {
          isTelling.set(false);
          listeners.forEach(Runnable::run);
        });
  }

  /// Calls a tool.
  ///
  /// @param prepared answers to what the server may ask; null for none
  CallOutcome call(Call call, Consumer<String> progress, @Nullable PreparedAnswers prepared)
      throws InterruptedException {
    var params = Wire.object();
    params.put("name", call.tool());
    params.set("arguments", Wire.tree(call.arguments()));
    call.rest().ifPresent(rest -> params.setAll((ObjectNode) Wire.tree(rest)));
    if (prepared == null) return made(call, params, progress, null);
    // What the server asks does not say for which call: there is one at a time.
    asking.lockInterruptibly();
    try {
      answers.prepare(prepared);
      var outcome = made(call, params, progress, prepared);
      if (outcome.asked().isPresent()) return outcome;
      return prepared.open().map(CallOutcome::asked).orElse(outcome);
    } catch (McpFailed.Refused e) {
      if (prepared.open().isPresent()) return CallOutcome.asked(prepared.open().get());
      if (e.error() != URL_REQUIRED) throw e;
      return CallOutcome.asked(required(e, prepared));
    } finally {
      answers.prepare(null);
      asking.unlock();
    }
  }

  /// The page that a person has to visit before the call can be made.
  private McpElicitation required(McpFailed.Refused why, PreparedAnswers prepared) {
    var data = why.data().isEmpty() ? Wire.object() : Wire.tree(Json.parse(why.data()));
    for (var one : data.path("elicitations")) {
      try {
        var asked = ElicitationForms.read(server.name(), one);
        if (prepared.answer(asked).action() == McpAnswer.Action.CANCEL) return asked;
      } catch (ServerRequests.Rejected e) {
        why.addSuppressed(e);
      }
    }
    throw why;
  }

  private CallOutcome made(
      Call call, ObjectNode params, Consumer<String> progress, @Nullable PreparedAnswers prepared)
      throws InterruptedException {
    var tool = call.tool();
    var rounds = new InputRounds(server.name(), answers);
    for (int i = 0; i < InputRounds.MAX; i++) {
      var result = session().request("tools/call", params.deepCopy(), call.most(), progress);
      if (!Wire.text(result, "resultType").equals("input_required")) return outcome(tool, result);
      var open = rounds.next(result, params, prepared);
      if (open.isPresent()) return open.get();
    }
    throw new McpFailed.Misbehaved(
        server.name(), "asked in more than %d results of one call.".formatted(InputRounds.MAX));
  }

  private CallOutcome outcome(String tool, JsonNode result) {
    var parts = new ArrayList<>(content.parts(result.path("content")));
    var structured = result.path("structuredContent");
    if (!structured.isObject()) {
      return outcome(parts, result, Optional.empty());
    }
    var value = Wire.json(structured);
    if (parts.isEmpty()) parts.add(new Content.Data(value));
    if (isPromised(tool, value)) return outcome(parts, result, Optional.of(value));
    parts.add(new Content.Text("[the structured result breaks the schema that the server gave]"));
    return outcome(parts, result, Optional.empty());
  }

  private static CallOutcome outcome(
      List<Content> parts, JsonNode result, Optional<Json> artifact) {
    boolean isError = result.path("isError").asBoolean(false);
    return new CallOutcome(Optional.empty(), parts, isError, artifact, Optional.empty());
  }

  private boolean isPromised(String tool, Json value) {
    var now = known;
    var definition = now == null ? null : now.byName().get(tool);
    if (definition == null || definition.outputSchema().isEmpty()) return true;
    var schema = Wire.tree(definition.outputSchema().get());
    if (SchemaCheck.problem(schema).isPresent()) return false;
    try {
      var safe = Wire.json(SchemaCheck.withoutPatterns(schema));
      return JsonSchema.parse(safe).check(value).isEmpty();
    } catch (dev.superstep.json.SuperstepException _) {
      return false;
    }
  }

  // --- Resources, prompts, completions ---

  /// The resources of the server.
  public List<McpResource> resources() throws InterruptedException {
    return offers("resources") ? lists.resources() : List.of();
  }

  /// The templates of resources of the server.
  public List<McpResource> resourceTemplates() throws InterruptedException {
    return offers("resources") ? lists.templates() : List.of();
  }

  /// Reads a resource.
  ///
  /// @param uri as the server lists it, or made by a template
  public List<Content> read(String uri) throws InterruptedException {
    var params = Wire.object();
    params.put("uri", uri);
    var parts = new ArrayList<Content>();
    for (var one : request("resources/read", params).path("contents")) {
      if (parts.size() < server.limits().tools()) parts.add(content.resource(one));
    }
    return List.copyOf(parts);
  }

  /// The prompts of the server.
  public List<McpPrompt> prompts() throws InterruptedException {
    return offers("prompts") ? lists.prompts() : List.of();
  }

  /// A prompt with its arguments.
  public List<McpPrompt.Line> prompt(String name, Map<String, String> arguments)
      throws InterruptedException {
    var params = Wire.object();
    params.put("name", name);
    var given = params.putObject("arguments");
    arguments.forEach(given::put);
    var lines = new ArrayList<McpPrompt.Line>();
    for (var one : request("prompts/get", params).path("messages")) {
      if (lines.size() == server.limits().tools()) break;
      boolean isOfUser = !Wire.text(one, "role").equals("assistant");
      lines.add(new McpPrompt.Line(isOfUser, content.part(one.path("content"))));
    }
    return List.copyOf(lines);
  }

  /// Values for an argument of a prompt.
  ///
  /// @param value as far as it was typed
  public McpCompletion completePrompt(String prompt, String argument, String value)
      throws InterruptedException {
    var reference = Wire.object();
    reference.put("type", "ref/prompt").put("name", prompt);
    return complete(reference, argument, value);
  }

  /// Values for a place of a template of resources.
  ///
  /// @param value as far as it was typed
  public McpCompletion completeResource(String template, String argument, String value)
      throws InterruptedException {
    var reference = Wire.object();
    reference.put("type", "ref/resource").put("uri", template);
    return complete(reference, argument, value);
  }

  private McpCompletion complete(ObjectNode reference, String argument, String value)
      throws InterruptedException {
    if (!offers("completions")) return new McpCompletion(List.of(), false);
    var params = Wire.object();
    params.set("ref", reference);
    params.putObject("argument").put("name", argument).put("value", value);
    var completion = request("completion/complete", params).path("completion");
    var values = new ArrayList<String>();
    for (var one : completion.path("values")) {
      if (values.size() < 100) values.add(Wire.whole(one.asString("")));
    }
    return new McpCompletion(values, completion.path("hasMore").asBoolean(false));
  }

  /// Tools by which a model reads the resources and prompts of the server: those that it offers.
  public List<Tool> readingTools() throws InterruptedException {
    return ReadingTools.of(server.name(), this, offers("resources"), offers("prompts"));
  }

  private boolean offers(String capability) throws InterruptedException {
    var _ = session();
    return greeting.path("capabilities").has(capability);
  }

  /// Asks whether the server is there.
  public void ping() throws InterruptedException {
    boolean isStateless = revision().equals(STATELESS);
    var _ = request(isStateless ? "server/discover" : "ping", Wire.object());
  }

  private JsonNode request(String method, ObjectNode params) throws InterruptedException {
    return session().request(method, params, server.limits().request(), _ -> {});
  }

  // --- Connecting ---

  private McpSession session() throws InterruptedException {
    var now = session;
    if (now != null && now.isOpen()) return now;
    connecting.lockInterruptibly();
    try {
      now = session;
      if (now != null && now.isOpen()) return now;
      if (isClosed) throw notConnected("this connection was closed", null);
      checkRestarts();
      known = null;
      var next = connected();
      session = next;
      if (isClosed) next.close();
      return next;
    } finally {
      connecting.unlock();
    }
  }

  private void checkRestarts() {
    long now = System.nanoTime();
    while (!starts.isEmpty() && now - starts.peekFirst() > RESTARTS_TIME.toNanos()) {
      starts.removeFirst();
    }
    if (starts.size() > RESTARTS_MAX) {
      throw notConnected("it ended " + starts.size() + " times within a minute", null);
    }
    starts.addLast(now);
  }

  private McpFailed notConnected(String why, @Nullable Throwable cause) {
    return new McpFailed.NotConnected(server.name(), why, cause);
  }

  private McpSession connected() throws InterruptedException {
    var next = new McpSession(server.name(), transport(), answers, server.limits());
    boolean isGreeted = false;
    try {
      next.open();
      greet(next);
      isGreeted = true;
      return next;
    } catch (McpFailed.Unauthorized | McpFailed.Misbehaved | McpFailed.NotConnected e) {
      throw e;
    } catch (McpFailed e) {
      throw notConnected(String.valueOf(e.getMessage()), e);
    } finally {
      if (!isGreeted) next.close();
    }
  }

  private Transport transport() throws InterruptedException {
    return switch (server.way()) {
      case McpServer.Http http -> new HttpTransport(server, http);
      case McpServer.Stdio(var sandbox, var command) -> {
        try {
          yield new StdioTransport(server.name(), sandbox.start(command), server.limits());
        } catch (dev.superstep.sandbox.SandboxError e) {
          throw notConnected(String.valueOf(e.getMessage()), e);
        }
      }
    };
  }

  private void greet(McpSession next) throws InterruptedException {
    if (server.isStateless() && discovered(next)) return;
    var params = Wire.object();
    params.put("protocolVersion", REVISION);
    params.set("capabilities", answers.capabilities());
    params.putObject("clientInfo").put("name", "superstep").put("version", "0.1.0");
    var greeted = next.request("initialize", params, server.limits().start(), _ -> {});
    var agreed = Wire.text(greeted, "protocolVersion");
    if (!REVISIONS.contains(agreed)) {
      throw new McpFailed.Misbehaved(
          server.name(),
          "speaks revision `%s`, which is none of %s."
              .formatted(McpSession.cut(agreed, 40), REVISIONS.stream().sorted().toList()));
    }
    greeting = greeted;
    next.transport().onInitialized(agreed);
    next.notify("notifications/initialized", Wire.object());
  }

  /// Asks whether the server speaks the revision without sessions, and speaks it from then on.
  private boolean discovered(McpSession next) throws InterruptedException {
    var meta = Wire.object().put(META + "protocolVersion", STATELESS);
    meta.set(META + "clientCapabilities", answers.capabilities());
    meta.putObject(META + "clientInfo").put("name", "superstep").put("version", "0.1.0");
    next.saying(meta);
    next.transport().onInitialized(STATELESS);
    try {
      var start = server.limits().start();
      var most = start.compareTo(PROBE) < 0 ? start : PROBE;
      var found = next.request("server/discover", Wire.object(), most, _ -> {});
      for (var version : found.path("supportedVersions")) {
        if (!version.asString("").equals(STATELESS)) continue;
        greeting = ((ObjectNode) found.deepCopy()).put("protocolVersion", STATELESS);
        McpThreads.start(server.name(), "listen", () -> listen(next));
        return true;
      }
    } catch (McpFailed.Refused | McpFailed.Misbehaved | McpFailed.TimedOut _) {
      // It is of an older revision.
    }
    next.saying(null);
    next.transport().onInitialized("");
    return false;
  }

  /// Hears of changes of the tools as long as the session is open.
  private void listen(McpSession from) {
    try {
      while (from.isOpen() && !isClosed) {
        var params = Wire.object();
        params.putObject("notifications").put("toolsListChanged", true);
        try {
          var _ = from.request("subscriptions/listen", params, LISTENING, _ -> {});
        } catch (McpFailed.Refused | McpFailed.Misbehaved _) {
          return;
        } catch (McpFailed e) {
          // What changed in between is not known.
          onToolsChanged();
        }
        Thread.sleep(RELISTEN);
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  /// Ends the session, and the server if it is a program.
  @Override
  public void close() {
    isClosed = true;
    var now = session;
    if (now != null) now.close();
  }

  @Override
  public String toString() {
    return "McpConnection[" + server.name() + "]";
  }
}
