package dev.superstep.mcp;

import dev.superstep.json.Json;
import dev.superstep.mcp.internal.session.PagedLists;
import dev.superstep.mcp.internal.session.ServerSessions;
import dev.superstep.mcp.internal.task.TaskRequests;
import dev.superstep.mcp.internal.tool.ParamHeaders;
import dev.superstep.mcp.internal.tool.ReadingTools;
import dev.superstep.mcp.internal.tool.ResultContent;
import dev.superstep.mcp.internal.transport.McpThreads;
import dev.superstep.mcp.internal.transport.RequestFailed;
import dev.superstep.mcp.internal.wire.Wire;
import dev.superstep.message.Content;
import dev.superstep.node.Question;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolHandler;
import dev.superstep.tool.ToolResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A connection with an MCP server. When the server has died or its session is over, the next
/// request connects again; a request that was on its way then has failed, and is not sent twice.
/// Safe for many threads. Close it.
public final class McpConnection implements AutoCloseable {
  private static final int INSTRUCTIONS_MAX = 10_000;

  private final McpServer server;
  private final ServerSessions sessions;
  private final PagedLists lists;
  private final ServerContents contents;
  private final ToolCaller caller;
  private final TaskQuestions questions;
  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
  private final AtomicLong changes = new AtomicLong();
  private final AtomicBoolean isTelling = new AtomicBoolean();
  private volatile @Nullable ServerTools known;

  private McpConnection(McpServer server) {
    this.server = server;
    var limits = server.limits();
    this.questions = new TaskQuestions(server.name());
    var answers = new ServerAnswers(server, questions, this::onToolsChanged);
    this.sessions = server.sessions(answers, new Changes());
    this.lists = new PagedLists(this::sent, limits.tools(), limits.pages());
    var content = new ResultContent(limits.mediaBytes());
    this.contents = new ServerContents(server.name(), lists, this::sent, content);
    var requests = new TaskRequests(sessions, this::sent);
    var follower = new TaskFollower(sessions, requests, answers, questions, limits.progress());
    this.caller = new ToolCaller(server.name(), sessions, answers, content, follower, new Known());
  }

  static McpConnection open(McpServer server) throws InterruptedException {
    var connection = new McpConnection(server);
    connection.connect();
    return connection;
  }

  /// Forgets the tools when they may have changed.
  private final class Changes implements ServerSessions.Listener {
    @Override
    public void onConnecting() {
      known = null;
    }

    @Override
    public void onMissed() {
      onToolsChanged();
    }
  }

  private void connect() throws InterruptedException {
    try {
      var _ = sessions.session();
    } catch (RequestFailed e) {
      throw McpFailed.of(server.name(), e);
    }
  }

  private JsonNode sent(String method, ObjectNode params)
      throws InterruptedException, RequestFailed {
    return sessions.session().request(method, params, server.limits().request(), _ -> {});
  }

  // --- The server ---

  /// The revision of the protocol that both speak.
  public String revision() {
    return Wire.text(sessions.greeting(), "protocolVersion");
  }

  /// The name and version by which the server calls itself.
  public String serverInfo() {
    var info = sessions.greeting().path("serverInfo");
    return Wire.cut(Wire.text(info, "name") + " " + Wire.text(info, "version"), 200).strip();
  }

  /// The text of the server about its use: not to be trusted, and so in no prompt by itself.
  public String instructions() {
    return Wire.cut(Wire.text(sessions.greeting(), "instructions"), INSTRUCTIONS_MAX);
  }

  /// The end of what a server that is a program wrote on its error output.
  public String complaints() {
    return sessions.complaints();
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
    var changed = new ArrayList<McpToolChange>();
    for (var tool : known().byName().values()) {
      var approved = server.pins().approved(server.name(), tool.name());
      if (approved.filter(tool.definition()::equals).isPresent()) continue;
      changed.add(new McpToolChange(server.name(), tool.name(), approved, tool.definition()));
    }
    return List.copyOf(changed);
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
    var call = new ToolCaller.Call(tool, arguments, server.limits().call(), Optional.empty());
    var outcome = call(call, _ -> {}, null);
    if (outcome.task().isEmpty()) return outcome.result();
    var task = outcome.task().get();
    try {
      var keep = java.util.Objects.requireNonNull(server.keep());
      return caller.follow(task, call.within(keep), _ -> {}, null).result();
    } catch (InterruptedException e) {
      caller.cancel(task);
      throw e;
    }
  }

  ToolCaller caller() {
    return caller;
  }

  CallOutcome call(
      ToolCaller.Call call, Consumer<String> progress, @Nullable PreparedAnswers prepared)
      throws InterruptedException {
    return caller.call(call, progress, prepared);
  }

  Optional<McpTool> offered(String tool) throws InterruptedException {
    return Optional.ofNullable(known().byName().get(tool));
  }

  /// The tools as far as they are known.
  private final class Known implements ToolCaller.Known {
    @Override
    public Optional<Json> promised(String tool) {
      var now = known;
      var definition = now == null ? null : now.byName().get(tool);
      return definition == null ? Optional.empty() : definition.outputSchema();
    }

    @Override
    public ParamHeaders headers(String tool) throws InterruptedException {
      if (!hasHeaders()) return ParamHeaders.NONE;
      var definition = known().byName().get(tool);
      if (definition == null) return ParamHeaders.NONE;
      return ParamHeaders.of(Wire.tree(definition.inputSchema()));
    }

    @Override
    public boolean isSameAgain(String tool) throws InterruptedException {
      known = null;
      var offered = offered(tool).map(McpTool::definition);
      var approved = server.pins().approved(server.name(), tool);
      return offered.isPresent() && (approved.isEmpty() || approved.equals(offered));
    }

    @Override
    public @Nullable Duration task(String tool) throws InterruptedException {
      var keep = server.keep();
      if (keep == null || sessions.isStateless()) return keep;
      return known().tasks().contains(tool) ? keep : null;
    }
  }

  private ServerTools known() throws InterruptedException {
    // First, so that the tools of a server that is started again are read again.
    connect();
    var now = known;
    if (now != null) return now;
    long before = changes.get();
    var read = ServerTools.of(server, told(), facts());
    // A list that changed while it was read is read again the next time.
    if (changes.get() == before) known = read;
    return read;
  }

  private ServerTools.Facts facts() {
    var tasks = sessions.greeting().path("capabilities").path("tasks");
    boolean hasTasks = tasks.path("requests").path("tools").has("call");
    return new ServerTools.Facts(hasTasks && !sessions.isStateless(), hasHeaders());
  }

  private boolean hasHeaders() {
    return sessions.isStateless() && server.way() instanceof McpServer.Http;
  }

  private List<JsonNode> told() throws InterruptedException {
    try {
      boolean hasTools = sessions.greeting().path("capabilities").has("tools");
      return hasTools ? lists.all("tools/list", "tools") : List.of();
    } catch (RequestFailed e) {
      throw McpFailed.of(server.name(), e);
    }
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

  // --- Resources, prompts, completions ---

  /// The resources of the server.
  public List<McpResource> resources() throws InterruptedException {
    return offers("resources") ? contents.listed() : List.of();
  }

  /// The templates of resources of the server.
  public List<McpResource> resourceTemplates() throws InterruptedException {
    return offers("resources") ? contents.templates() : List.of();
  }

  /// Reads a resource.
  ///
  /// @param uri as the server lists it, or made by a template
  public List<Content> read(String uri) throws InterruptedException {
    return contents.read(uri);
  }

  /// The prompts of the server.
  public List<McpPrompt> prompts() throws InterruptedException {
    return offers("prompts") ? contents.offered() : List.of();
  }

  /// A prompt with its arguments.
  public List<McpPrompt.Line> prompt(String name, Map<String, String> arguments)
      throws InterruptedException {
    return contents.lines(name, arguments);
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
    return contents.complete(reference, argument, value);
  }

  /// Tools by which a model reads the resources and prompts of the server: those that it offers.
  public List<Tool> readingTools() throws InterruptedException {
    return ReadingTools.of(server.name(), contents, offers("resources"), offers("prompts"));
  }

  private boolean offers(String capability) throws InterruptedException {
    connect();
    return sessions.greeting().path("capabilities").has(capability);
  }

  /// Asks whether the server is there.
  public void ping() throws InterruptedException {
    try {
      var _ = sent(sessions.isStateless() ? "server/discover" : "ping", Wire.object());
    } catch (RequestFailed e) {
      throw McpFailed.of(server.name(), e);
    }
  }

  /// Ends the session, and the server if it is a program.
  @Override
  public void close() {
    sessions.close();
    questions.close();
  }

  @Override
  public String toString() {
    return "McpConnection[" + server.name() + "]";
  }
}
