package dev.superstep.server.internal.http;

import dev.superstep.json.Json;
import dev.superstep.server.endpoint.Endpoint;
import dev.superstep.server.endpoint.EndpointCall;
import dev.superstep.server.endpoint.EndpointRefused;
import dev.superstep.server.endpoint.EndpointReply;
import dev.superstep.server.endpoint.EventSource;
import dev.superstep.server.security.Access;
import dev.superstep.server.security.Principal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.json.JsonMapper;

/// Adds endpoints to the routes of a server.
public final class EndpointRoutes {
  private static final JsonMapper JSON = new JsonMapper();

  private EndpointRoutes() {}

  /// Adds one.
  public static void add(Endpoint endpoint, Guard guard, Routes routes) {
    for (var method : List.of("GET", "POST", "DELETE")) {
      routes.on(method, endpoint.path(), call -> reply(endpoint, call, guard));
    }
  }

  private static Reply reply(Endpoint endpoint, Call call, Guard guard) throws Exception {
    try {
      return switch (endpoint.handle(new Request(call, guard))) {
        case EndpointReply.Body(var status, var json, var headers) ->
            json.isEmpty()
                ? new Reply.Empty(status, headers)
                : new Reply.Value(status, JSON.readTree(json.get().text()), headers);
        case EndpointReply.Events(var source, var headers) ->
            new Reply.Events(new Frames(source), headers);
      };
    } catch (EndpointRefused refused) {
      throw new HttpFailure(refused.status(), String.valueOf(refused.getMessage()));
    }
  }

  private record Request(Call call, Guard guard) implements EndpointCall {
    @Override
    public String method() {
      return call.method();
    }

    @Override
    public Optional<String> header(String name) {
      return call.header(name);
    }

    @Override
    public Optional<Json> body() {
      var body = call.body();
      return body.isMissingNode() ? Optional.empty() : Optional.of(Json.parse(body.toString()));
    }

    @Override
    public Principal principal() {
      return call.principal();
    }

    @Override
    public void check(Access access) {
      try {
        guard.check(call, access);
      } catch (HttpFailure denied) {
        throw new EndpointRefused(denied.status(), denied.text());
      }
    }
  }

  private record Frames(EventSource source) implements FrameSource {
    @Override
    public List<Frame> next(Duration most) throws InterruptedException {
      return source.next(most).stream()
          .map(event -> {
            var retry = event.retry().map(Duration::toMillis).orElse(0L);
            return new Frame(event.id(), "", event.data(), retry);
          })
          .toList();
    }

    @Override
    public boolean isOver() {
      return source.isOver();
    }

    @Override
    public void close(boolean isComplete) {
      source.close();
    }
  }
}
