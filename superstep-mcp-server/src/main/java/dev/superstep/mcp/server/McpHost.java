package dev.superstep.mcp.server;

import dev.superstep.mcp.server.content.ServedPrompt;
import dev.superstep.mcp.server.content.ServedResource;
import dev.superstep.mcp.server.internal.call.CallRecord;
import dev.superstep.mcp.server.internal.call.QuestionForm;
import dev.superstep.mcp.server.internal.call.ServedTool;
import dev.superstep.mcp.server.internal.transport.ServerCore;
import dev.superstep.run.Answers;
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

  private final ServerCore core;
  private final ToolForm form;

  /// Makes a served tool of a tool.
  interface ToolForm {
    ServedTool of(Tool tool);
  }

  McpHost(ServerCore.Parts parts, ToolForm form) {
    this.core = new ServerCore(parts);
    this.form = form;
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
    core.serve(in, out);
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
    return core.extension(path);
  }

  // --- Changes ---

  /// Replaces the tools, and tells clients so. Calls of earlier tools go on.
  ///
  /// @param change gets the tools by name, in order
  public void changeTools(UnaryOperator<List<Tool>> change) {
    var now = core.offer();
    var all = new LinkedHashMap<String, ServedTool>();
    var before = now.tools().values().stream().map(ServedTool::tool).toList();
    for (var tool : change.apply(before)) {
      var known = now.tools().get(tool.name());
      boolean isSame = known != null && known.tool() == tool;
      all.put(tool.name(), isSame ? known : form.of(tool));
    }
    core.change(core.offer(all, now.resources(), now.prompts()), "tools");
  }

  /// Replaces the resources, and tells clients so.
  public void changeResources(List<ServedResource> resources) {
    var now = core.offer();
    core.change(core.offer(now.tools(), resources, now.prompts()), "resources");
  }

  /// Replaces the prompts, and tells clients so.
  public void changePrompts(List<ServedPrompt> prompts) {
    var now = core.offer();
    core.change(core.offer(now.tools(), now.resources(), prompts), "prompts");
  }

  /// The prompts that are served now.
  public List<ServedPrompt> prompts() {
    return core.offer().prompts();
  }

  /// Tells those who asked for it that a resource has changed.
  public void resourceChanged(String uri) {
    core.resourceChanged(uri);
  }

  // --- Calls ---

  /// The stored calls that wait for answers, or that were left behind, of all clients.
  public List<OpenCall> openCalls() {
    return core.calls().store().unfinished(UNFINISHED_MAX).stream()
        .filter(record -> !core.calls().isAtWork(record.id()))
        .map(this::open)
        .toList();
  }

  /// Answers an open call in place of its client, such as an approval that an operator gives. The
  /// call goes on until it ends or asks again; its client fetches the result by the tool for
  /// answers, or as that of its task. Without answers, this continues a call that its process left.
  ///
  /// @param call the id of an open call
  /// @param answers by the ids of its questions
  /// @throws IllegalArgumentException if no call of this id waits, or an answer does not fit
  /// @throws IllegalStateException if the server works at as many tasks as it may
  public void answer(String call, Answers answers) throws InterruptedException {
    var record =
        core.calls()
            .store()
            .find(call)
            .filter(found -> !found.hasEnded())
            .orElseThrow(() -> new IllegalArgumentException("no open call is `" + call + "`"));
    core.answer(record, answers);
  }

  /// The number of stored calls that this process works at now.
  public int runningCalls() {
    return core.calls().atWork();
  }

  private OpenCall open(CallRecord record) {
    var questions =
        core.offer()
            .stored(record.tool())
            .map(tool -> core.calls().questions(record, tool))
            .orElse(List.of());
    return new OpenCall(
        record.id(),
        record.tool(),
        record.thread(),
        record.principal(),
        record.isTask(),
        record.created(),
        questions.stream().map(QuestionForm::asked).toList());
  }

  /// Interrupts what is at work. Tasks are gone on with by the next process on the same stores.
  @Override
  public void close() {
    core.close();
  }

  @Override
  public String toString() {
    return "McpHost[" + core.name() + ", " + core.offer().tools().keySet() + "]";
  }
}
