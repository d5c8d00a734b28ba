package dev.superstep.mcp.server.internal.call;

import dev.superstep.json.Json;
import dev.superstep.lock.Mutex;
import dev.superstep.mcp.internal.wire.Wire;
import dev.superstep.mcp.server.internal.protocol.Outlet;
import dev.superstep.mcp.server.internal.protocol.RequestSlots;
import dev.superstep.mcp.server.internal.protocol.Revision;
import dev.superstep.mcp.server.internal.protocol.Rpc;
import dev.superstep.mcp.server.internal.protocol.RpcFailure;
import dev.superstep.mcp.server.options.LogLevel;
import dev.superstep.mcp.server.options.McpHostLimits;
import dev.superstep.run.Answers;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A session with a client: what it can do, what it asked that is at work, and what it is asked.
/// Safe for many threads.
public final class ClientSession {
  private static final int SUBSCRIPTIONS_MAX = 1_000;
  private static final int TRIES = 3;

  private final String id;
  private final String principal;
  private final Outlet outlet;
  private final Duration answerTime;
  private final RequestSlots slots;
  private final AtomicLong ids = new AtomicLong();
  private final Map<Long, CompletableFuture<JsonNode>> asked = new ConcurrentHashMap<>();
  private final Map<String, Running> running = new ConcurrentHashMap<>();
  private final Mutex lock = new Mutex();
  private final Set<String> subscriptions = new LinkedHashSet<>();
  private volatile String revision = "";
  private volatile JsonNode capabilities = Wire.object();
  private volatile @Nullable LogLevel level = LogLevel.INFO;
  private volatile boolean isClosed;

  /// A request that is at work.
  static final class Running {
    private final Thread thread;
    private volatile boolean isCancelled;

    Running(Thread thread) {
      this.thread = thread;
    }

    boolean isCancelled() {
      return isCancelled;
    }
  }

  /// @param outlet of what belongs to no request
  public ClientSession(String id, String principal, Outlet outlet, McpHostLimits limits) {
    this.id = id;
    this.principal = principal;
    this.outlet = outlet;
    this.answerTime = limits.answer();
    this.slots = new RequestSlots(limits.concurrent(), limits.queue());
  }

  public String id() {
    return id;
  }

  public String principal() {
    return principal;
  }

  public Outlet outlet() {
    return outlet;
  }

  public RequestSlots slots() {
    return slots;
  }

  // --- The greeting ---

  public void greeted(String with, JsonNode what) {
    revision = with;
    capabilities = what.deepCopy();
  }

  /// Returns whether the client is asked in results, and not by requests.
  public boolean isStateless() {
    return revision.equals(Revision.MODERN);
  }

  public boolean isGreeted() {
    return !revision.isEmpty();
  }

  public String revision() {
    return revision;
  }

  public JsonNode capabilities() {
    return capabilities;
  }

  /// Returns whether the client wants messages of this importance.
  boolean hears(LogLevel of) {
    var least = level;
    return least != null && of.compareTo(least) >= 0;
  }

  /// Sets the least importance of what the client wants.
  ///
  /// @param least null for none at all
  public void level(@Nullable LogLevel least) {
    level = least;
  }

  /// Tells the client something that belongs to no request.
  public void tell(String method, ObjectNode params) {
    if (isGreeted() && !isClosed) outlet.send(Rpc.notification(method, params));
  }

  boolean isClosed() {
    return isClosed;
  }

  // --- Subscriptions ---

  public void subscribe(String uri) throws RpcFailure {
    try (var _ = lock.hold()) {
      if (subscriptions.size() >= SUBSCRIPTIONS_MAX && !subscriptions.contains(uri)) {
        throw new RpcFailure(
            Rpc.BUSY, "The session has " + SUBSCRIPTIONS_MAX + " subscriptions; end some first.");
      }
      subscriptions.add(uri);
    }
  }

  public void unsubscribe(String uri) {
    try (var _ = lock.hold()) {
      subscriptions.remove(uri);
    }
  }

  public boolean isSubscribed(String uri) {
    try (var _ = lock.hold()) {
      return subscriptions.contains(uri);
    }
  }

  // --- Its requests ---

  /// Notes that this thread works at a request.
  ///
  /// @return null if another request has this id
  public @Nullable Running begin(String request) {
    var now = new Running(Thread.currentThread());
    return running.putIfAbsent(request, now) == null ? now : null;
  }

  public void end(String request) {
    running.remove(request);
  }

  /// Ends a request at the wish of the client.
  public void cancel(String request) {
    var found = running.get(request);
    if (found == null) return;
    found.isCancelled = true;
    found.thread.interrupt();
  }

  // --- What it is asked ---

  /// Asks the client, and waits for its answer.
  ///
  /// @throws ClientRefused if it refuses or does not answer in time
  JsonNode ask(String method, ObjectNode params, Outlet way)
      throws ClientRefused, InterruptedException {
    long number = ids.incrementAndGet();
    var answer = new CompletableFuture<JsonNode>();
    asked.put(number, answer);
    try {
      if (isClosed) throw new ClientRefused("The client is gone.");
      way.send(Rpc.request(number, method, params));
      return answer.get(answerTime.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw new ClientRefused(message(e));
    } catch (TimeoutException _) {
      cancelAsked(number, way);
      throw new ClientRefused("The client did not answer within " + answerTime + ".");
    } catch (InterruptedException e) {
      cancelAsked(number, way);
      throw e;
    } finally {
      asked.remove(number);
    }
  }

  private static String message(ExecutionException e) {
    var cause = e.getCause();
    return cause == null ? "The client failed." : String.valueOf(cause.getMessage());
  }

  private static void cancelAsked(long number, Outlet way) {
    var params = Wire.object().put("requestId", number).put("reason", "nobody waits for it");
    way.send(Rpc.notification("notifications/cancelled", params));
  }

  /// Takes an answer of the client. One that nobody waits for is ignored.
  public void onAnswer(JsonNode message) {
    var number = message.path("id");
    var waiting = number.isIntegralNumber() ? asked.get(number.asLong(-1)) : null;
    if (waiting == null) return;
    if (message.path("result").isObject()) {
      waiting.complete(message.path("result"));
    } else {
      var text = Wire.text(message.path("error"), "message");
      waiting.completeExceptionally(new ClientRefused("The client refused: " + text));
    }
  }

  /// Returns whether the client answers a question: by a form or a page for its user, or itself.
  public boolean canAnswer(QuestionForm form) {
    if (form.request().isPresent()) return capabilities.has(form.request().get().capability());
    var elicitation = capabilities.path("elicitation");
    if (!elicitation.isObject()) return false;
    if (form.url().isPresent()) return elicitation.has("url");
    return elicitation.isEmpty() || elicitation.has("form");
  }

  /// Asks the user of the client all of these questions.
  ///
  /// @return their answers, or empty if one has none
  public Optional<Answers> elicit(
      List<QuestionForm> questions, ServedTool tool, Outlet way, Optional<String> task)
      throws InterruptedException {
    var answers = Answers.none();
    for (var form : questions) {
      var answer = canAnswer(form) ? answer(form, tool, way, task) : Optional.<Json>empty();
      if (answer.isEmpty()) return Optional.empty();
      answers = answers.and(Answers.json(form.asked().id(), answer.get()));
    }
    return Optional.of(answers);
  }

  private Optional<Json> answer(
      QuestionForm form, ServedTool tool, Outlet way, Optional<String> task)
      throws InterruptedException {
    if (form.request().isEmpty()) return elicit(form, tool, way, task);
    var request = form.request().get();
    try {
      var params = request.params().deepCopy();
      task.ifPresent(known -> params.set("_meta", CallRecord.related(known)));
      var reply = ask(request.method(), params, way);
      return form.problem(reply, tool).isEmpty() ? Optional.of(form.read(reply)) : Optional.empty();
    } catch (ClientRefused _) {
      return Optional.empty();
    }
  }

  private Optional<Json> elicit(
      QuestionForm form, ServedTool tool, Outlet way, Optional<String> task)
      throws InterruptedException {
    var message = form.message();
    for (int i = 0; i < TRIES; i++) {
      var params = Wire.object().put("message", message);
      form.schema().ifPresent(schema -> params.set("requestedSchema", schema));
      if (form.url().isPresent()) {
        params
            .put("mode", "url")
            .put("url", form.url().get())
            .put("elicitationId", form.asked().id());
      }
      task.ifPresent(known -> params.set("_meta", CallRecord.related(known)));
      JsonNode reply;
      try {
        reply = ask("elicitation/create", params, way);
      } catch (ClientRefused _) {
        return Optional.empty();
      }
      switch (Wire.text(reply, "action")) {
        case "accept" -> {
          var values = reply.path("content").isObject() ? reply.path("content") : Wire.object();
          var problem = form.problem(values, tool);
          if (problem.isEmpty()) return Optional.of(form.read(values));
          message = "The answer does not fit: " + problem.get() + "\n" + form.message();
        }
        case "decline" -> {
          return form.declined();
        }
        default -> {
          return Optional.empty();
        }
      }
    }
    return Optional.empty();
  }

  /// Ends what it is asked, since it cannot answer any more.
  public void stopAsking() {
    isClosed = true;
    for (var one : asked.values()) {
      one.completeExceptionally(new ClientRefused("The client is gone."));
    }
  }

  /// Ends it: what it is asked has no answer any more, and what it asked is interrupted.
  public void close() {
    stopAsking();
    for (var one : running.values()) one.thread.interrupt();
  }
}
