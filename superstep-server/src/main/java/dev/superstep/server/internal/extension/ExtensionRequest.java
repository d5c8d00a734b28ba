package dev.superstep.server.internal.extension;

import dev.superstep.json.Json;
import dev.superstep.server.extension.EventSource;
import dev.superstep.server.extension.RequestRefused;
import dev.superstep.server.extension.RunTopic;
import dev.superstep.server.extension.ServerApi;
import dev.superstep.server.extension.ServerEvent;
import dev.superstep.server.extension.ServerRequest;
import dev.superstep.server.extension.Subscriptions;
import dev.superstep.server.internal.documents.ThreadDocuments;
import dev.superstep.server.internal.http.Call;
import dev.superstep.server.internal.http.Frame;
import dev.superstep.server.internal.http.FrameSource;
import dev.superstep.server.internal.http.Guard;
import dev.superstep.server.internal.http.HttpFailure;
import dev.superstep.server.internal.http.InnerRequests;
import dev.superstep.server.internal.http.Reply;
import dev.superstep.server.internal.wire.Trees;
import dev.superstep.server.security.Access;
import dev.superstep.server.security.Principal;
import dev.superstep.service.DocumentKind;
import dev.superstep.service.ServiceStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/// A request as an extension sees it, with the API of the server for its sender.
///
/// @param documents those of the server behind; empty on routes that have no API
record ExtensionRequest(
    Call call, InnerRequests inner, Guard guard, Optional<ServiceStore> documents)
    implements ServerRequest, ServerApi {
  @Override
  public String id() {
    return call.id();
  }

  @Override
  public String method() {
    return call.method();
  }

  @Override
  public void check(Access access) {
    try {
      guard.check(call, access);
    } catch (HttpFailure denied) {
      throw refusal(denied);
    }
  }

  @Override
  public String part(String name) {
    return call.part(name);
  }

  @Override
  public Optional<String> query(String name) {
    return call.query(name);
  }

  @Override
  public Optional<String> header(String name) {
    return call.header(name);
  }

  @Override
  public Optional<Json> body() {
    try {
      var body = call.body();
      return body.isMissingNode() ? Optional.empty() : Optional.of(Trees.json(body, "body"));
    } catch (HttpFailure refused) {
      throw refusal(refused);
    }
  }

  @Override
  public Principal principal() {
    return call.principal();
  }

  @Override
  public ServerApi api() {
    if (documents.isPresent()) return this;
    throw noApi();
  }

  private static IllegalStateException noApi() {
    return new IllegalStateException(
        "an open route does not know its sender, and an extension that is served alone has no"
            + " server behind it, so there is no API; add the route by on(…) to an AgentServer");
  }

  @Override
  public Subscriptions subscriptions(String thread, RunTopic topic) {
    var store = documents.orElseThrow(ExtensionRequest::noApi);
    var named = Trees.object().put("thread_id", thread);
    var access =
        new Access(Access.Resource.THREADS, Access.Action.UPDATE, Trees.json(named, "thread"));
    try {
      var granted = guard.check(call, access);
      var known = store.read(in -> in.find(DocumentKind.THREAD, thread));
      if (known.filter(one -> granted.sees(ThreadDocuments.metadata(one))).isEmpty()) {
        throw ThreadDocuments.unknown(thread);
      }
    } catch (HttpFailure refused) {
      throw refusal(refused);
    }
    return new StoredSubscriptions(store, thread, topic);
  }

  @Override
  public Json send(String method, String path, Json body) throws InterruptedException {
    try {
      return value(ask(method, path, body, Map.of()));
    } catch (HttpFailure refused) {
      throw refusal(refused);
    }
  }

  private static Json value(Reply reply) throws InterruptedException {
    return switch (reply) {
      case Reply.Value(_, var value, _) -> Trees.json(value, "answer");
      case Reply.Empty _ -> Json.ofNull();
      case Reply.Later(var later, _) -> awaited(later);
      case Reply.Events(var source, _) -> {
        source.close(false);
        throw new IllegalArgumentException("the answer is a stream; open it by stream(…)");
      }
      case Reply.Bytes _, Reply.Upgrade _ ->
          throw new IllegalArgumentException("the answer is no JSON");
    };
  }

  private static Json awaited(java.util.concurrent.Callable<JsonNode> later)
      throws InterruptedException {
    try {
      return Trees.json(later.call(), "answer");
    } catch (InterruptedException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public EventSource stream(String method, String path, Json body, String lastEvent) {
    var headers =
        lastEvent.isEmpty() ? Map.<String, String>of() : Map.of("last-event-id", lastEvent);
    try {
      if (ask(method, path, body, headers) instanceof Reply.Events events) {
        return new Events(events.source());
      }
    } catch (HttpFailure refused) {
      throw refusal(refused);
    }
    throw new IllegalArgumentException("the answer is no stream; ask for it by send(…)");
  }

  private Reply ask(String method, String path, Json body, Map<String, String> headers) {
    boolean hasBody = !body.equals(Json.ofNull());
    var tree = hasBody ? Trees.of(body) : JsonNodeFactory.instance.missingNode();
    return inner.ask(call, method, path, tree, headers);
  }

  private static RequestRefused refusal(HttpFailure failure) {
    var refused = new RequestRefused(failure.status(), failure.text());
    for (var header : failure.headers().entrySet()) {
      refused = refused.with(header.getKey(), header.getValue());
    }
    return refused;
  }

  /// The events of a stream of the server.
  private record Events(FrameSource source) implements EventSource {
    @Override
    public List<ServerEvent> next(Duration most) throws InterruptedException {
      return source.next(most).stream().map(Events::event).toList();
    }

    private static ServerEvent event(Frame frame) {
      var retry =
          frame.retry() == 0
              ? Optional.<Duration>empty()
              : Optional.of(frame.retry()).map(Duration::ofMillis);
      return new ServerEvent(frame.id(), frame.event(), frame.data(), retry);
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
