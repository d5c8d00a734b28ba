package dev.superstep.mcp;

import dev.superstep.mcp.internal.session.ServerRequests;
import dev.superstep.mcp.internal.session.ServerSessions;
import dev.superstep.mcp.internal.task.TaskHandle;
import dev.superstep.mcp.internal.task.TaskRequests;
import dev.superstep.mcp.internal.task.TaskState;
import dev.superstep.mcp.internal.transport.RequestFailed;
import dev.superstep.mcp.internal.wire.Wire;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Follows a task to its result, or to a question for a person. Safe for many threads.
final class TaskFollower {
  private static final int FAILURES_MAX = 5;

  private final ServerSessions sessions;
  private final TaskRequests requests;
  private final ServerAnswers answers;
  private final TaskQuestions questions;
  private final int progressMax;

  /// @param progressMax messages of one task that are told on
  TaskFollower(
      ServerSessions sessions,
      TaskRequests requests,
      ServerAnswers answers,
      TaskQuestions questions,
      int progressMax) {
    this.sessions = sessions;
    this.requests = requests;
    this.answers = answers;
    this.questions = questions;
    this.progressMax = progressMax;
  }

  /// The end of following a task.
  ///
  /// @param result of the call; empty if a person has to be asked
  /// @param task as it goes on then
  record End(Optional<JsonNode> result, TaskHandle task) {}

  /// Follows a task.
  ///
  /// @param most until its end or its next question
  /// @param progress is told the messages of the server, and an empty text each time it was asked
  /// @param prepared answers to what the server may ask; null for none
  End follow(
      TaskHandle begun,
      Duration most,
      Consumer<String> progress,
      @Nullable PreparedAnswers prepared)
      throws InterruptedException, RequestFailed {
    long deadline = System.nanoTime() + most.toNanos();
    var task = respond(begun);
    var told = "";
    int count = 0;
    while (true) {
      var left = Duration.ofNanos(deadline - System.nanoTime());
      if (!left.isPositive())
        throw new RequestFailed(new RequestFailed.TimedOut("tools/call", most));
      var state = state(task.id(), left);
      boolean isNew = !state.message().equals(told) && count < progressMax;
      progress.accept(isNew ? state.message() : "");
      if (isNew) count++;
      told = state.message();
      switch (state.status()) {
        case WORKING -> pause(state.poll(), left);
        case COMPLETED, FAILED -> {
          return new End(Optional.of(result(task.id(), state, left)), task);
        }
        case CANCELLED -> throw lost(task.id(), "was cancelled there");
        case INPUT_REQUIRED -> {
          if (sessions.isStateless()) {
            var next = answered(task, state, prepared);
            if (next.open().isPresent()) return new End(Optional.empty(), next);
            if (next.equals(task)) pause(state.poll(), left);
            task = next;
          } else if (prepared == null) {
            return new End(Optional.of(requests.result(task.id(), left)), task);
          } else {
            return new End(questions.result(requests, task.id(), left, prepared), task);
          }
        }
      }
    }
  }

  private static RequestFailed lost(String task, String how) {
    return new RequestFailed(new RequestFailed.TaskLost(task, how));
  }

  private static void pause(Duration poll, Duration left) throws InterruptedException {
    Thread.sleep(poll.compareTo(left) < 0 ? poll : left);
  }

  /// The state, for which a server that cannot be reached for a moment is asked again.
  private TaskState state(String task, Duration left) throws InterruptedException, RequestFailed {
    for (int i = 1; ; i++) {
      try {
        return requests.state(task);
      } catch (RequestFailed e) {
        boolean isPassing =
            e.why() instanceof RequestFailed.Lost
                || e.why() instanceof RequestFailed.NotConnected
                || e.why() instanceof RequestFailed.TimedOut;
        if (!isPassing || i == FAILURES_MAX) throw e;
      }
      pause(Duration.ofMillis(250L << i), left);
    }
  }

  private JsonNode result(String task, TaskState state, Duration left)
      throws InterruptedException, RequestFailed {
    if (!sessions.isStateless()) return requests.result(task, left);
    if (state.status() == TaskState.Status.COMPLETED) return state.body().path("result");
    var error = state.body().path("error");
    int code = error.path("code").asInt(0);
    var text = Wire.cut(Wire.text(error, "message"), 500);
    throw new RequestFailed(new RequestFailed.Refused("tools/call", code, text, ""));
  }

  /// Gives the server the responses that it has not got yet.
  private TaskHandle respond(TaskHandle task) throws InterruptedException, RequestFailed {
    var responses = Wire.tree(task.responses());
    if (responses.isEmpty()) return task;
    requests.respond(task.id(), responses);
    return task.responded(responses);
  }

  /// Answers what can be answered here, until a person has to be asked.
  private TaskHandle answered(TaskHandle task, TaskState state, @Nullable PreparedAnswers prepared)
      throws InterruptedException, RequestFailed {
    var responses = Wire.object();
    var open = Optional.<String>empty();
    for (var one : state.body().path("inputRequests").properties()) {
      if (task.answered().contains(one.getKey())) continue;
      var reply = reply(one.getValue(), prepared);
      if (prepared != null && prepared.open().isPresent()) {
        open = Optional.of(one.getKey());
        break;
      }
      responses.set(one.getKey(), reply);
    }
    var next = task;
    if (!responses.isEmpty()) {
      requests.respond(task.id(), responses);
      next = task.responded(responses);
    }
    return open.isPresent() ? next.asking(open.get()) : next;
  }

  private JsonNode reply(JsonNode request, @Nullable PreparedAnswers prepared)
      throws InterruptedException, RequestFailed {
    try {
      return answers.answer(Wire.text(request, "method"), request.path("params"), prepared);
    } catch (ServerRequests.Rejected e) {
      throw new RequestFailed(
          new RequestFailed.Misbehaved(
              "asked in a task for what it was not granted: " + e.getMessage() + "."));
    }
  }

  /// Asks for the end of a task, as far as that can be said now.
  void cancel(TaskHandle task) throws InterruptedException {
    try {
      requests.cancel(task.id());
    } catch (RequestFailed _) {
      // It has ended, or nobody is there.
    }
  }
}
