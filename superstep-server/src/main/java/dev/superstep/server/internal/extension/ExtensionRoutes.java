package dev.superstep.server.internal.extension;

import dev.superstep.json.Json;
import dev.superstep.server.extension.EventSource;
import dev.superstep.server.extension.RequestHandler;
import dev.superstep.server.extension.RequestRefused;
import dev.superstep.server.extension.ServerEvent;
import dev.superstep.server.extension.ServerResponse;
import dev.superstep.server.extension.ServerRoutes;
import dev.superstep.server.graph.ServedGraph;
import dev.superstep.server.internal.http.Call;
import dev.superstep.server.internal.http.Frame;
import dev.superstep.server.internal.http.FrameSource;
import dev.superstep.server.internal.http.Guard;
import dev.superstep.server.internal.http.HttpFailure;
import dev.superstep.server.internal.http.InnerRequests;
import dev.superstep.server.internal.http.Reply;
import dev.superstep.server.internal.http.Routes;
import dev.superstep.server.internal.wire.Trees;
import dev.superstep.service.ServiceStore;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;

/// Adds the routes of extensions to those of the server. One thread at a time.
public final class ExtensionRoutes implements ServerRoutes {
  private final Routes routes;
  private final List<ServedGraph> graphs;
  private final InnerRequests inner;
  private final Guard guard;
  private final Optional<ServiceStore> documents;

  /// @param documents those of the server behind; empty without one
  private ExtensionRoutes(
      Routes routes, List<ServedGraph> graphs, Guard guard, Optional<ServiceStore> documents) {
    this.routes = routes;
    this.graphs = List.copyOf(graphs);
    this.inner = new InnerRequests(routes);
    this.guard = guard;
    this.documents = documents;
  }

  /// Those beside the API of a server.
  ///
  /// @param routes with those of the server, which come first
  public static ExtensionRoutes beside(
      Routes routes, List<ServedGraph> graphs, Guard guard, ServiceStore documents) {
    return new ExtensionRoutes(routes, graphs, guard, Optional.of(documents));
  }

  /// Those of a server without an API and graphs.
  public static ExtensionRoutes alone(Routes routes, Guard guard) {
    return new ExtensionRoutes(routes, List.of(), guard, Optional.empty());
  }

  @Override
  public ServerRoutes on(String method, String template, RequestHandler handler) {
    check(method, template);
    routes.on(method, template, call -> reply(handler, request(call, documents)));
    return this;
  }

  @Override
  public ServerRoutes open(String method, String template, RequestHandler handler) {
    check(method, template);
    routes.open(method, template, call -> reply(handler, request(call, Optional.empty())));
    return this;
  }

  @Override
  public List<ServedGraph> graphs() {
    return graphs;
  }

  private ExtensionRequest request(Call call, Optional<ServiceStore> behind) {
    return new ExtensionRequest(call, inner, guard, behind);
  }

  private void check(String method, String template) {
    if (!template.startsWith("/")) {
      throw new IllegalArgumentException("a route must begin with a slash, was " + template);
    }
    for (var known : routes.all()) {
      if (!known.method().equals(method) || !known.template().equals(template)) continue;
      throw new IllegalArgumentException(
          "the server has the route `%s %s` already; give the extension another path"
              .formatted(method, template));
    }
  }

  private static Reply reply(RequestHandler handler, ExtensionRequest request) throws Exception {
    try {
      return reply(handler.handle(request));
    } catch (RequestRefused refused) {
      throw failure(refused);
    }
  }

  static HttpFailure failure(RequestRefused refused) {
    var failure = new HttpFailure(refused.status(), refused.reason());
    for (var header : refused.headers().entrySet()) {
      failure = failure.with(header.getKey(), header.getValue());
    }
    return failure;
  }

  private static Reply reply(ServerResponse response) {
    return switch (response) {
      case ServerResponse.Value(var status, var body, var headers) ->
          new Reply.Value(status, Trees.of(body), headers);
      case ServerResponse.Empty(var status, var headers) -> new Reply.Empty(status, headers);
      case ServerResponse.Later(var body, var headers) ->
          new Reply.Later(() -> Trees.of(called(body)), headers);
      case ServerResponse.Events(var source, var headers) ->
          new Reply.Events(new Frames(source), headers);
    };
  }

  private static Json called(Callable<Json> body) throws Exception {
    try {
      return body.call();
    } catch (RequestRefused refused) {
      throw failure(refused);
    }
  }

  /// The frames of an extension's events.
  private record Frames(EventSource source) implements FrameSource {
    @Override
    public List<Frame> next(Duration most) throws InterruptedException {
      return source.next(most).stream().map(Frames::frame).toList();
    }

    private static Frame frame(ServerEvent event) {
      long retry = event.retry().map(Duration::toMillis).orElse(0L);
      return new Frame(event.id(), event.name(), event.data(), retry);
    }

    @Override
    public boolean isOver() {
      return source.isOver();
    }

    @Override
    public void close(boolean isComplete) {
      source.close(isComplete);
    }
  }
}
