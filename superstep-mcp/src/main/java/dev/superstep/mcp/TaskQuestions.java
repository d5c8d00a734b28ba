package dev.superstep.mcp;

import dev.superstep.mcp.internal.task.TaskRequests;
import dev.superstep.mcp.internal.transport.McpThreads;
import dev.superstep.mcp.internal.transport.RequestFailed;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import tools.jackson.databind.JsonNode;

/// The questions of tasks of revision 2025-11-25. A server asks them while it makes a client wait
/// for the result. A person may take days, so that wait is given up and begun again with the
/// answer: a server then asks again, or still waits for the reply to its first request, which is
/// held back for that. Safe for many threads.
final class TaskQuestions implements AutoCloseable {
  private final String server;
  private final Map<String, Attempt> attempts = new ConcurrentHashMap<>();
  private final Map<Asked, CompletableFuture<McpAnswer>> held = new ConcurrentHashMap<>();

  private record Asked(String task, McpElicitation what) {}

  private record Attempt(PreparedAnswers prepared, BlockingQueue<End> ends) {}

  /// The end of a wait for a result.
  private sealed interface End {
    record Result(JsonNode result) implements End {}

    record Failure(RequestFailed why) implements End {}

    record Question() implements End {}
  }

  TaskQuestions(String server) {
    this.server = server;
  }

  /// Waits for the result of a task.
  ///
  /// @return the result; empty if `prepared` has an open question now
  Optional<JsonNode> result(
      TaskRequests requests, String task, Duration most, PreparedAnswers prepared)
      throws InterruptedException, RequestFailed {
    var attempt = new Attempt(prepared, new LinkedBlockingQueue<>());
    attempts.put(task, attempt);
    prepared.given().forEach(one -> release(new Asked(task, one.asked()), one.answer()));
    var waiting =
        McpThreads.start(server, "result", () -> await(requests, task, most, attempt.ends()));
    try {
      return switch (attempt.ends().poll(most.toMillis(), TimeUnit.MILLISECONDS)) {
        case null -> throw new RequestFailed(new RequestFailed.TimedOut("tasks/result", most));
        case End.Result(var result) -> Optional.of(result);
        case End.Failure(var why) -> throw new RequestFailed(why.why());
        case End.Question() -> Optional.empty();
      };
    } finally {
      attempts.remove(task, attempt);
      waiting.interrupt();
    }
  }

  private static void await(
      TaskRequests requests, String task, Duration most, BlockingQueue<End> ends) {
    try {
      ends.add(new End.Result(requests.result(task, most)));
    } catch (RequestFailed e) {
      ends.add(new End.Failure(e));
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt(); // nobody waits for it any more
    }
  }

  /// Returns whether somebody waits for the result of a task.
  boolean isOpen(String task) {
    return attempts.containsKey(task);
  }

  /// The answer to what a task asks: at once, or as soon as a person has given it.
  McpAnswer answer(String task, McpElicitation what) throws InterruptedException {
    var attempt = attempts.get(task);
    if (attempt == null) return McpAnswer.cancel();
    var answer = attempt.prepared().answer(what);
    if (attempt.prepared().open().isEmpty()) return answer;
    var asked = new Asked(task, what);
    var later = held.computeIfAbsent(asked, _ -> new CompletableFuture<>());
    attempt.ends().add(new End.Question());
    try {
      return later.get(1, TimeUnit.DAYS);
    } catch (ExecutionException | TimeoutException _) {
      return McpAnswer.cancel();
    } finally {
      held.remove(asked, later);
    }
  }

  private void release(Asked asked, McpAnswer answer) {
    var later = held.remove(asked);
    if (later != null) later.complete(answer);
  }

  @Override
  public void close() {
    held.values().forEach(later -> later.cancel(true));
  }
}
