package dev.superstep.server;

import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.server.extension.ServerExtension;
import dev.superstep.server.graph.NotServed;
import dev.superstep.server.graph.RagSources;
import dev.superstep.server.graph.ServedGraph;
import dev.superstep.server.internal.api.Service;
import dev.superstep.server.internal.http.Dispatcher;
import dev.superstep.server.internal.http.Guard;
import dev.superstep.server.internal.http.JettyServer;
import dev.superstep.server.log.AuditLog;
import dev.superstep.server.log.RequestLog;
import dev.superstep.server.log.ServerListener;
import dev.superstep.server.options.ServerOptions;
import dev.superstep.server.security.ApiKeys;
import dev.superstep.server.security.Authenticator;
import dev.superstep.server.security.Authorizer;
import dev.superstep.service.ServiceStore;
import dev.superstep.store.Store;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Collects what an [AgentServer] serves and who may use it, then starts it. One thread at a time.
public final class AgentServerBuilder {
  private final Checkpointer checkpointer;
  private final ServiceStore documents;
  private final Map<String, ServedGraph> graphs = new LinkedHashMap<>();
  private final List<NotServed> notServed = new ArrayList<>();
  private final List<ServerExtension> extensions = new ArrayList<>();
  private RagSources sources = RagSources.none();
  private @Nullable Store memory;
  private @Nullable Authenticator authenticator;
  private @Nullable Authorizer authorizer;
  private AuditLog audit = AuditLog.none();
  private RequestLog requests = RequestLog.none();
  private ServerListener listener = ServerListener.none();
  private ServerOptions options = ServerOptions.defaults();

  AgentServerBuilder(Checkpointer checkpointer, ServiceStore documents) {
    this.checkpointer = checkpointer;
    this.documents = documents;
  }

  /// Serves a graph.
  ///
  /// @throws IllegalArgumentException if there is another one with its id
  public AgentServerBuilder serving(ServedGraph graph) {
    if (graphs.putIfAbsent(graph.id(), graph) != null) {
      throw new IllegalArgumentException(
          "two graphs have the id `" + graph.id() + "`; give one another name with named(…)");
    }
    return this;
  }

  /// Serves graphs.
  ///
  /// @throws IllegalArgumentException if two have one id
  public AgentServerBuilder serving(Iterable<ServedGraph> all) {
    for (var graph : all) serving(graph);
    return this;
  }

  /// Lists programs in the studio that cannot be served, with the reason.
  public AgentServerBuilder notServing(NotServed program) {
    notServed.add(program);
    return this;
  }

  /// Shows the texts of graphs in the studio, and lets people change them if the sources allow it.
  public AgentServerBuilder texts(RagSources from) {
    sources = from;
    return this;
  }

  /// Gives runs and clients a long-term memory.
  public AgentServerBuilder memory(Store store) {
    memory = store;
    return this;
  }

  /// Asks requests to show who sent them; without, everybody who reaches it may use it, and it
  /// listens on this machine only.
  public AgentServerBuilder authenticator(Authenticator from) {
    authenticator = from;
    return this;
  }

  /// Decides what each principal may do; without, [ApiKeys] do by their permissions, and all others
  /// may do everything.
  public AgentServerBuilder authorizer(Authorizer by) {
    authorizer = by;
    return this;
  }

  /// Writes down who did what.
  public AgentServerBuilder audit(AuditLog log) {
    audit = log;
    return this;
  }

  /// Writes down each request.
  public AgentServerBuilder requestLog(RequestLog log) {
    requests = log;
    return this;
  }

  /// Lets somebody hear of requests, runs and streams, for traces and metrics.
  public AgentServerBuilder listener(ServerListener heard) {
    listener = QuietListener.of(heard);
    return this;
  }

  /// Speaks another protocol, too, on routes of its own.
  public AgentServerBuilder extension(ServerExtension protocol) {
    extensions.add(protocol);
    return this;
  }

  /// Sets the options.
  public AgentServerBuilder options(ServerOptions all) {
    options = all;
    return this;
  }

  /// Starts to serve on this machine only.
  ///
  /// @param port 0 for any
  /// @throws IOException if it cannot listen
  public AgentServer start(int port) throws IOException {
    return start(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
  }

  /// Starts to serve.
  ///
  /// @param address where it listens; port 0 for any
  /// @throws IOException if it cannot listen there
  /// @throws IllegalStateException if that is beyond this machine, there is no authenticator, and
  ///   the options do not say that it is open
  public AgentServer start(InetSocketAddress address) throws IOException {
    boolean isLoopback = isLoopback(address);
    checkReach(isLoopback, address.getHostString());
    var parts = parts();
    // Before anything begins: an extension may refuse.
    var dispatcher = dispatcher(parts, isLoopback);
    parts.start();
    try {
      var http = JettyServer.start(address, options.http(), dispatcher);
      return new AgentServer(http, parts, options.drain());
    } catch (IOException | RuntimeException e) {
      // Nothing goes on in the background of a server that is not there.
      parts.drain(Duration.ZERO);
      throw e;
    }
  }

  /// Checks that not everybody who reaches the server may use it, unless that is meant.
  void checkReach(boolean isLoopback, String place) {
    if (isLoopback || authenticator != null || options.isOpen()) return;
    throw new IllegalStateException(
        "Without an authenticator, everybody who reaches "
            + place
            + " could use the server. Set an authenticator, listen on 127.0.0.1, or say"
            + " withOpen(true) if that is meant.");
  }

  ServerParts parts() {
    var service =
        new Service(
            checkpointer,
            documents,
            Optional.ofNullable(memory),
            Collections.unmodifiableMap(new LinkedHashMap<>(graphs)),
            options,
            new Guard(deciding(), audit));
    var texts = new ServerParts.Texts(List.copyOf(notServed), sources, List.copyOf(extensions));
    return new ServerParts(service, texts, authenticator != null, listener);
  }

  private Authorizer deciding() {
    if (authorizer != null) return authorizer;
    return authenticator instanceof ApiKeys keys ? keys.permissions() : Authorizer.everything();
  }

  Dispatcher dispatcher(ServerParts parts, boolean isLoopback) {
    var from = authenticator == null ? Authenticator.nobody() : authenticator;
    var observers = new Dispatcher.Observers(requests, audit, listener);
    return new Dispatcher(parts.routes(), from, options, isLoopback, observers);
  }

  Duration drain() {
    return options.drain();
  }

  private static boolean isLoopback(InetSocketAddress address) {
    if (address.isUnresolved()) {
      throw new IllegalArgumentException(
          "there is no address for the host `" + address.getHostString() + "`");
    }
    return address.getAddress().isLoopbackAddress();
  }

  @Override
  public String toString() {
    return "AgentServerBuilder" + graphs.keySet();
  }
}
