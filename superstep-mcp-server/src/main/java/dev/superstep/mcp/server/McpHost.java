package dev.superstep.mcp.server;

import dev.superstep.mcp.internal.wire.Wire;
import dev.superstep.server.ExtensionServer;
import dev.superstep.server.extension.ServerExtension;
import dev.superstep.tool.Tool;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;

/// Serves tools, agents and graphs to clients of the Model Context Protocol. Safe for many threads.
///
/// ```java
/// var desk = McpHost.named("desk").tool(FIND_ORDER).agent(agent, "Answers customers.");
/// try (var host = desk.build()) {
///   host.serve();
/// }
/// ```
///
/// Each call of an agent or a graph is a thread of its checkpointer. A question of it is shown to
/// the user of the client; where that is not possible the call stays stored, and is answered later.
public final class McpHost implements AutoCloseable {
  private static final int UNFINISHED_MAX = 10_000;
  private static final String PATH = "/mcp";

  private final Parts parts;
  private final Protocol protocol;
  private final ModernProtocol modern;
  private final Tasks tasks;
  private final Calls calls;
  private final Set<ClientSession> sessions = ConcurrentHashMap.newKeySet();
  private volatile Offer offer;

  /// The parts that a builder collected.
  record Parts(
      Protocol.About about,
      Offer offer,
      Calls.Setting calls,
      ToolForm form,
      java.util.function.BiPredicate<String, String> allowed) {}

  /// Makes a served tool of a tool.
  interface ToolForm {
    ServedTool of(Tool tool);
  }

  McpHost(Parts parts) {
    this.parts = parts;
    this.offer = parts.offer();
    var limits = parts.calls().limits();
    this.calls = new Calls(parts.calls());
    this.tasks = new Tasks(calls, limits, name -> offer().tool(name));
    var methods = new ToolMethods(this::offer, calls, tasks, limits, parts.allowed());
    var contents = new ContentMethods(this::offer, limits.page());
    this.protocol = new Protocol(parts.about(), this::offer, methods, contents);
    var states = new RequestStates(calls.store(), limits.task());
    this.modern = new ModernProtocol(protocol, methods, contents, states, limits);
  }

  /// Begins a server.
  ///
  /// @param name by which clients show it; calls that it left behind are found by it
  public static McpHostBuilder named(String name) {
    return new McpHostBuilder(name);
  }

  // --- Serving ---

  /// Serves the client that started this process, by its standard streams, until that closes them.
  /// Other output goes to the error output from now on.
  public void serve() {
    var in = new FileInputStream(FileDescriptor.in);
    var out = new FileOutputStream(FileDescriptor.out);
    System.setOut(System.err);
    serve(in, out);
  }

  /// Serves one client by two streams, until it closes its side. The streams stay open.
  public void serve(InputStream in, OutputStream out) {
    var server = new StdioServer(this, parts.calls().limits(), out);
    add(server.session());
    takeOver();
    try {
      server.serve(in);
    } finally {
      remove(server.session());
    }
  }

  /// Serves everybody on this machine at `/mcp`, and nobody else. To serve those whom an
  /// authenticator knows, give [#extension] to an [ExtensionServer], or to an
  /// [dev.superstep.server.AgentServer] that has an API beside it.
  ///
  /// @param port 0 for any
  /// @throws IOException if it cannot listen
  public ExtensionServer start(int port) throws IOException {
    return ExtensionServer.start(extension(), port);
  }

  /// The server as a part of an HTTP server, at `/mcp`. It stops with that server.
  public ServerExtension extension() {
    return extension(PATH);
  }

  /// The server as a part of an HTTP server. It stops with that server.
  ///
  /// @param path such as `/mcp`
  public ServerExtension extension(String path) {
    if (!path.matches("(/[A-Za-z0-9._-]+)+")) {
      throw new IllegalArgumentException("path must be like /mcp, was `" + path + "`");
    }
    return new HttpEndpoint(this, path, parts.calls().limits());
  }

  // --- Changes ---

  /// Replaces the tools, and tells clients so. Calls of earlier tools go on.
  ///
  /// @param change gets the tools by name, in order
  public void changeTools(UnaryOperator<List<Tool>> change) {
    var now = offer;
    var all = new LinkedHashMap<String, ServedTool>();
    var before = now.tools().values().stream().map(ServedTool::tool).toList();
    for (var tool : change.apply(before)) {
      var known = now.tools().get(tool.name());
      boolean isSame = known != null && known.tool() == tool;
      all.put(tool.name(), isSame ? known : parts.form().of(tool));
    }
    offer = new Offer(McpHostBuilder.ordered(all), now.resources(), now.prompts());
    tell("notifications/tools/list_changed");
  }

  /// Replaces the resources, and tells clients so.
  public void changeResources(List<ServedResource> resources) {
    offer = new Offer(offer.tools(), resources, offer.prompts());
    tell("notifications/resources/list_changed");
  }

  /// Replaces the prompts, and tells clients so.
  public void changePrompts(List<ServedPrompt> prompts) {
    offer = new Offer(offer.tools(), offer.resources(), prompts);
    tell("notifications/prompts/list_changed");
  }

  /// Tells those who asked for it that a resource has changed.
  public void resourceChanged(String uri) {
    for (var session : sessions) {
      if (session.isSubscribed(uri)) {
        session.tell("notifications/resources/updated", Wire.object().put("uri", uri));
      }
    }
    modern.tell("notifications/resources/updated", Wire.object().put("uri", uri));
  }

  private void tell(String method) {
    for (var session : sessions) session.tell(method, Wire.object());
    modern.tell(method, Wire.object());
  }

  // --- Calls ---

  /// The stored calls that wait for answers, or that were left behind, of all clients.
  public List<OpenCall> openCalls() {
    return calls.store().unfinished(UNFINISHED_MAX).stream()
        .filter(record -> !calls.isAtWork(record.id()))
        .map(this::open)
        .toList();
  }

  /// The number of stored calls that this process works at now.
  public int runningCalls() {
    return calls.atWork();
  }

  private OpenCall open(CallRecord record) {
    var questions =
        offer.tool(record.tool()).map(tool -> calls.questions(record, tool)).orElse(List.of());
    return new OpenCall(
        record.id(),
        record.tool(),
        record.thread(),
        record.principal(),
        record.isTask(),
        record.created(),
        questions.stream().map(QuestionForm::asked).toList());
  }

  // --- For its ways to clients ---

  Offer offer() {
    return offer;
  }

  Protocol protocol() {
    return protocol;
  }

  ModernProtocol modern() {
    return modern;
  }

  void add(ClientSession session) {
    sessions.add(session);
  }

  void remove(ClientSession session) {
    sessions.remove(session);
  }

  void takeOver() {
    tasks.takeOver();
  }

  void stop() {
    calls.close();
  }

  /// Interrupts what is at work. Tasks are gone on with by the next process on the same stores.
  @Override
  public void close() {
    for (var session : sessions) session.close();
    stop();
  }

  @Override
  public String toString() {
    return "McpHost[" + parts.about().name() + ", " + offer.tools().keySet() + "]";
  }
}
