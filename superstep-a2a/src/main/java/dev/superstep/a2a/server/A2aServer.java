package dev.superstep.a2a.server;

import dev.superstep.a2a.internal.Trees;
import dev.superstep.server.extension.RunNotices;
import dev.superstep.server.extension.ServerExtension;
import dev.superstep.server.extension.ServerRequest;
import dev.superstep.server.extension.ServerResponse;
import dev.superstep.server.extension.ServerRoutes;
import dev.superstep.server.graph.ServedGraph;
import java.net.URI;
import java.util.Optional;

/// The graphs of a server as agents of the A2A protocol, version 1.0, in its JSON-RPC binding
/// (`POST /a2a/{agent}`) and its HTTP+JSON binding (below `/a2a/{agent}/v1`), with a card at
/// `/a2a/{agent}/.well-known/agent-card.json`. The card of the first graph is at
/// `/.well-known/agent-card.json`, too. Immutable, safe for many threads.
///
/// ```java
/// AgentServer.on(checkpointer, documents)
///     .serving(ServedGraph.of(desk.graph()).describedAs("Answers customers"))
///     .extension(A2aServer.protocol().publicAt(URI.create("https://agents.example.com")))
///     .start(2024);
/// ```
///
/// A context of A2A is the thread of that id. A task is a run of it, with the runs that answer its
/// questions.
public final class A2aServer implements ServerExtension {
  private static final String CARD = "/.well-known/agent-card.json";

  private final Optional<URI> address;
  private final Optional<PushNotices> notices;
  private final Optional<CardSigner> signer;

  private A2aServer(
      Optional<URI> address, Optional<PushNotices> notices, Optional<CardSigner> signer) {
    this.address = address;
    this.notices = notices;
    this.signer = signer;
  }

  /// The protocol below `/a2a`. Cards name the host that a request for them names.
  public static A2aServer protocol() {
    return new A2aServer(Optional.empty(), Optional.empty(), Optional.empty());
  }

  /// Returns a copy whose cards name this address, for a server behind a proxy.
  ///
  /// @param at such as `https://agents.example.com`, with the path before `/a2a` if there is one
  /// @throws IllegalArgumentException if it is not one of HTTP or HTTPS with a host
  public A2aServer publicAt(URI at) {
    var scheme = String.valueOf(at.getScheme());
    boolean isWeb = scheme.equals("https") || scheme.equals("http");
    if (!isWeb || at.getHost() == null) {
      throw new IllegalArgumentException(
          "the address must begin with https:// or http:// and a host; it is `" + at + "`");
    }
    return new A2aServer(Optional.of(at), notices, signer);
  }

  /// Returns a copy that sends push notifications: clients name webhooks for their tasks, and each
  /// change of a task is sent there. They are signed, sent again and limited as
  /// [dev.superstep.server.options.WebhookOptions] says, and never reach addresses that are not
  /// public, unless these options allow them.
  public A2aServer pushNotifications() {
    return new A2aServer(address, Optional.of(new PushNotices()), signer);
  }

  /// Returns a copy whose cards are signed. It needs [#publicAt]: otherwise anybody could have a
  /// card signed that names a host of theirs.
  public A2aServer signedBy(CardSigner key) {
    return new A2aServer(address, notices, Optional.of(key));
  }

  @Override
  public Optional<RunNotices> notices() {
    return notices.map(all -> all);
  }

  @Override
  public void addTo(ServerRoutes routes) {
    if (signer.isPresent() && address.isEmpty()) {
      throw new IllegalArgumentException(
          "signed cards need an address that no client chooses; set it by publicAt(…)");
    }
    if (routes.graphs().isEmpty()) return;
    var first = routes.graphs().getFirst();
    routes.open("GET", CARD, request -> card(request, first));
    for (var graph : routes.graphs()) {
      var path = "/a2a/" + graph.id();
      routes.open("GET", path + CARD, request -> card(request, graph));
      notices.ifPresent(all -> all.add(graph));
      var operations = new AgentOperations(graph, notices.isPresent());
      routes.on("POST", path, new RpcEndpoint(operations)::answer);
      new RestEndpoint(operations).addTo(routes, path + AgentCard.REST);
    }
  }

  private ServerResponse card(ServerRequest request, ServedGraph graph) {
    var host = request.header("host").orElse("127.0.0.1");
    var base = address.map(URI::toString).orElse("http://" + host);
    if (base.endsWith("/")) base = base.substring(0, base.length() - 1);
    var card = AgentCard.of(graph, base + "/a2a/" + graph.id(), notices.isPresent());
    signer.ifPresent(key -> key.sign(card));
    return ServerResponse.json(200, Trees.json(card));
  }

  @Override
  public String toString() {
    return "A2aServer[%s, push=%b]"
        .formatted(
            address.map(URI::toString).orElse("the host of each request"), notices.isPresent());
  }
}
