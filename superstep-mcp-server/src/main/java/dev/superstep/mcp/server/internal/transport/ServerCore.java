package dev.superstep.mcp.server.internal.transport;

import dev.superstep.mcp.internal.wire.Wire;
import dev.superstep.mcp.server.content.ServedPrompt;
import dev.superstep.mcp.server.content.ServedResource;
import dev.superstep.mcp.server.internal.call.CallRecord;
import dev.superstep.mcp.server.internal.call.Calls;
import dev.superstep.mcp.server.internal.call.ClientCall;
import dev.superstep.mcp.server.internal.call.ClientSession;
import dev.superstep.mcp.server.internal.call.RequestStates;
import dev.superstep.mcp.server.internal.call.ServedTool;
import dev.superstep.mcp.server.internal.call.Tasks;
import dev.superstep.mcp.server.internal.method.ContentMethods;
import dev.superstep.mcp.server.internal.method.ModernCalls;
import dev.superstep.mcp.server.internal.method.ModernProtocol;
import dev.superstep.mcp.server.internal.method.Offer;
import dev.superstep.mcp.server.internal.method.Protocol;
import dev.superstep.mcp.server.internal.method.ToolMethods;
import dev.superstep.mcp.server.internal.protocol.Outlet;
import dev.superstep.mcp.server.internal.protocol.RpcFailure;
import dev.superstep.run.Answers;
import dev.superstep.server.extension.ServerExtension;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import tools.jackson.databind.node.ObjectNode;

/// A server: what it offers, its calls, and the sessions of its clients. Safe for many threads.
public final class ServerCore {
  private final Parts parts;
  private final Protocol protocol;
  private final ModernProtocol modern;
  private final Tasks tasks;
  private final Calls calls;
  private final Set<ClientSession> sessions = ConcurrentHashMap.newKeySet();
  private volatile Offer offer;

  /// The parts of a server.
  ///
  /// @param offer at first
  public record Parts(
      Protocol.About about, Offer offer, Calls.Setting calls, ToolMethods.Access access) {}

  public ServerCore(Parts parts) {
    this.parts = parts;
    this.offer = parts.offer();
    var limits = parts.calls().limits();
    this.calls = new Calls(parts.calls());
    this.tasks = new Tasks(calls, limits, name -> offer().stored(name));
    var methods = new ToolMethods(this::offer, calls, tasks, limits, parts.access());
    var contents = new ContentMethods(this::offer, limits.page());
    this.protocol = new Protocol(parts.about(), this::offer, methods, contents);
    var states = new RequestStates(calls.store(), limits.task());
    var modernCalls = new ModernCalls(methods, calls, tasks, states);
    this.modern = new ModernProtocol(protocol, methods, contents, modernCalls, limits);
  }

  /// The name of the server.
  public String name() {
    return parts.about().name();
  }

  /// The offers of the server at this moment.
  public Offer offer() {
    return offer;
  }

  /// An offer of this server.
  public Offer offer(
      Map<String, ServedTool> tools, List<ServedResource> resources, List<ServedPrompt> prompts) {
    return Offer.of(tools, resources, prompts, parts.calls().limits().call());
  }

  /// The calls of the server.
  public Calls calls() {
    return calls;
  }

  /// Replaces what the server offers, and tells clients so.
  ///
  /// @param kind of what has changed: `tools`, `resources` or `prompts`
  public void change(Offer now, String kind) {
    offer = now;
    var method = "notifications/" + kind + "/list_changed";
    for (var session : sessions) session.tell(method, Wire.object());
    modern.tell(method, Wire.object());
  }

  /// Tells those who asked for it that a resource has changed.
  public void resourceChanged(String uri) {
    var method = "notifications/resources/updated";
    for (var session : sessions) {
      if (session.isSubscribed(uri)) session.tell(method, params(uri));
    }
    modern.tell(method, params(uri));
  }

  private static ObjectNode params(String uri) {
    return Wire.object().put("uri", uri);
  }

  /// Answers a call in place of its client, and goes on with it.
  public void answer(CallRecord record, Answers answers) throws InterruptedException {
    var tool =
        offer
            .stored(record.tool())
            .orElseThrow(
                () -> new IllegalArgumentException("`" + record.tool() + "` is not served"));
    for (var form : calls.questions(record, tool)) {
      for (var one : answers.all()) {
        if (!one.interrupt().equals(form.asked().id())) continue;
        form.refusal(one.value(), tool)
            .ifPresent(why -> {
              throw new IllegalArgumentException("the answer does not fit: " + why);
            });
      }
    }
    var most = parts.calls().limits().notifications();
    var nobody = new ClientCall(null, record.principal(), Outlet.NOBODY, null, most);
    try {
      if (record.isTask()) {
        var _ = tasks.answer(record, tool, nobody, answers);
      } else {
        var _ = calls.resume(record, tool, nobody, answers);
      }
    } catch (RpcFailure e) {
      throw new IllegalStateException(e.text(), e);
    }
  }

  /// Serves one client by two streams, until it closes its side.
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

  /// The server as a part of an HTTP server.
  public ServerExtension extension(String path) {
    return new HttpEndpoint(this, path, parts.calls().limits());
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

  /// Ends all sessions, and interrupts what is at work.
  public void close() {
    for (var session : sessions) session.close();
    stop();
  }
}
