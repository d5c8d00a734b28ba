package dev.superstep.a2a.client;

import dev.superstep.a2a.internal.Trees;
import dev.superstep.json.Json;
import dev.superstep.node.NodeContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A task of an agent elsewhere, from its start to its end. For one task here.
final class RemoteTask {
  private static final Duration FIRST_PAUSE = Duration.ofMillis(200);
  private static final Duration PAUSE_MAX = Duration.ofSeconds(5);
  private static final int TASKS_READ = 10;
  private static final int TRIES = 20;

  private final AgentClient client;
  private final NodeContext context;
  private final String id;
  private String task = "";

  /// @param id of the context there
  RemoteTask(AgentClient client, NodeContext context, String id) {
    this.client = client;
    this.context = context;
    this.id = id;
  }

  A2aResult run(String message) throws Exception {
    var begun = Trees.of(context.step("start", Json.class, () -> Trees.json(start(message))));
    if (begun.has("message")) return answered(begun.path("message"));
    task = begun.path("task").asString("");
    var asked = "";
    for (int turn = 1; ; turn++) {
      var now = awaited(asked);
      var state = state(now);
      if (state.equals("completed")) return completed(now);
      if (!isWaiting(state)) {
        var why = Trees.parts(now.path("status").path("message").path("parts"));
        throw A2aFailed.ended(client.agent(), state, why.isEmpty() ? "no reason" : why);
      }
      asked = question(now);
      var answer = context.interrupt(A2aAgent.QUESTION, asked(now, state));
      int place = turn;
      context.step("answer " + place, Boolean.class, () -> answer(answer, place));
    }
  }

  // --- The start ---

  /// Begins the task, unless that was done before: an earlier attempt may have died after it sent
  /// the message.
  private ObjectNode start(String text) throws InterruptedException {
    var known = begunBefore(TRIES);
    if (!known.isEmpty()) return Trees.object().put("task", known);
    var message = message(id + "-1");
    message.putArray("parts").addObject().put("text", text);
    var result = sent(message);
    if (result.path("message").isObject()) {
      var json = Trees.object();
      json.set("message", result.path("message"));
      return json;
    }
    var begun = result.path("task").path("id").asString("");
    if (!begun.isEmpty()) return Trees.object().put("task", begun);
    throw A2aFailed.misbehaved(
        client.agent(), "the answer to SendMessage has neither task nor message");
  }

  /// The task of this context; empty if there is none, or if the agent lists no tasks.
  private String begunBefore(int tries) throws InterruptedException {
    try {
      var query = Trees.object().put("contextId", id).put("pageSize", TASKS_READ);
      for (var one : client.call("ListTasks", query, tries).path("tasks")) {
        if (one.path("contextId").asString("").equals(id)) return one.path("id").asString("");
      }
    } catch (A2aFailed refused) {
      // Not every agent has it; one that is not to be reached is another matter.
      if (refused.status() >= 0) throw refused;
    }
    return "";
  }

  private ObjectNode message(String messageId) {
    var message = Trees.object().put("messageId", messageId).put("role", "ROLE_USER");
    return message.put("contextId", id);
  }

  private JsonNode sent(ObjectNode message) throws InterruptedException {
    var params = Trees.object();
    params.set("message", message);
    params.putObject("configuration").put("returnImmediately", true);
    return client.call("SendMessage", params);
  }

  private boolean answer(A2aAnswer answer, int turn) throws InterruptedException {
    // The number of the answer makes the same message of another attempt.
    var message = message(id + "-" + (turn + 1)).put("taskId", task);
    var parts = message.putArray("parts");
    if (!answer.text().isEmpty() || answer.data().isEmpty()) {
      parts.addObject().put("text", answer.text());
    }
    answer
        .data()
        .ifPresent(data ->
            parts.addObject().put("mediaType", "application/json").set("data", Trees.of(data)));
    try {
      var _ = sent(message);
    } catch (A2aFailed refused) {
      // An attempt before this one may have answered already.
      boolean isOver = refused.status() < 0 && !isWaiting(state(now()));
      if (!isOver) throw refused;
    }
    return true;
  }

  // --- The wait ---

  /// Waits until the task has ended or asks something other than before.
  private JsonNode awaited(String asked) throws InterruptedException {
    var pause = FIRST_PAUSE;
    while (true) {
      var now = now();
      var state = state(now);
      boolean isAtWork =
          state.equals("submitted") || state.equals("working") || state.equals("unspecified");
      boolean isOld = isWaiting(state) && !asked.isEmpty() && question(now).equals(asked);
      if (!isAtWork && !isOld) return now;
      context.heartbeat();
      context.sleep(pause);
      pause = pause.multipliedBy(2).compareTo(PAUSE_MAX) < 0 ? pause.multipliedBy(2) : PAUSE_MAX;
    }
  }

  private JsonNode now() throws InterruptedException {
    var now = client.call("GetTask", Trees.object().put("id", task).put("historyLength", 1));
    if (now.path("id").asString("").equals(task)) return now;
    throw A2aFailed.misbehaved(client.agent(), "GetTask answers with another task");
  }

  private static String state(JsonNode task) {
    var state = task.path("status").path("state").asString("");
    return state.toLowerCase(Locale.ROOT).replaceFirst("^task_state_", "");
  }

  private static boolean isWaiting(String state) {
    return state.equals("input_required") || state.equals("auth_required");
  }

  /// Tells one question from the next; empty if the agent gives neither times nor ids.
  private static String question(JsonNode task) {
    var status = task.path("status");
    return status.path("timestamp").asString("")
        + status.path("message").path("messageId").asString("");
  }

  private static A2aQuestion asked(JsonNode task, String state) {
    var parts = task.path("status").path("message").path("parts");
    var text = Trees.parts(parts);
    var shown = text.isEmpty() ? "The agent needs more to go on." : text;
    return new A2aQuestion(shown, data(parts), state.equals("auth_required"));
  }

  private static List<Json> data(JsonNode parts) {
    var all = new ArrayList<Json>();
    for (var part : parts) if (part.has("data")) all.add(Trees.json(part.path("data")));
    return all;
  }

  // --- The end ---

  private static A2aResult answered(JsonNode message) {
    var parts = message.path("parts");
    return new A2aResult("", Trees.parts(parts), data(parts));
  }

  private A2aResult completed(JsonNode now) {
    var text = new StringBuilder();
    var data = new ArrayList<Json>();
    for (var artifact : now.path("artifacts")) {
      var part = Trees.parts(artifact.path("parts"));
      if (!part.isEmpty()) text.append(text.isEmpty() ? "" : "\n").append(part);
      data.addAll(data(artifact.path("parts")));
    }
    if (text.isEmpty() && data.isEmpty()) {
      text.append(Trees.parts(now.path("status").path("message").path("parts")));
    }
    return new A2aResult(task, text.toString(), data);
  }

  /// Asks the agent to stop; it may be gone.
  void cancel() {
    // The request would end at once if the thread were still interrupted.
    boolean isInterrupted = Thread.interrupted();
    try {
      // Its message may have been under way.
      var known = task.isEmpty() ? begunBefore(1) : task;
      if (known.isEmpty()) return;
      var _ = client.call("CancelTask", Trees.object().put("id", known), 1);
    } catch (A2aFailed _) {
      // It works to its end there, and nobody waits for it.
    } catch (InterruptedException _) {
      isInterrupted = true;
    } finally {
      if (isInterrupted) Thread.currentThread().interrupt();
    }
  }
}
