package dev.superstep.a2a.server;

import dev.superstep.a2a.internal.Trees;
import dev.superstep.server.extension.EventSource;
import dev.superstep.server.extension.ServerApi;
import dev.superstep.server.extension.ServerEvent;
import dev.superstep.server.graph.ServedGraph;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The updates of a task, until it has ended or asks something. For one thread.
final class TaskSource implements EventSource {
  private final ServerApi api;
  private final TaskReader tasks;
  private final ServedGraph graph;
  private final KnownTask task;
  private final UnaryOperator<ObjectNode> envelope;
  private final Set<String> told = new HashSet<>();
  private final AnswerText answer = new AnswerText();
  private @Nullable EventSource run;
  private boolean isOver;

  TaskSource(
      ServerApi api,
      TaskReader tasks,
      ServedGraph graph,
      KnownTask task,
      UnaryOperator<ObjectNode> envelope) {
    this.api = api;
    this.tasks = tasks;
    this.graph = graph;
    this.task = task;
    this.envelope = envelope;
  }

  @Override
  public List<ServerEvent> next(Duration most) throws InterruptedException {
    var all = new ArrayList<ServerEvent>();
    if (run == null) {
      var first = Trees.object();
      first.set("task", tasks.json().task(task, -1, true));
      all.add(event(first));
      if (!task.isAtWork()) {
        isOver = true;
        return all;
      }
      run = opened();
      return all;
    }
    for (var frame : run.next(most)) {
      if (frame.name().equals("values")) said(Trees.of(frame.data()), all);
      else if (frame.name().equals("messages")) piece(Trees.of(frame.data()), all);
    }
    if (run.isOver()) end(all);
    return all;
  }

  private EventSource opened() {
    var run = TaskReader.encoded(task.run().path("run_id").asString(""));
    var path = TaskReader.thread(task.context()) + "/runs/" + run + "/stream";
    return api.stream("GET", path, dev.superstep.json.Json.ofNull(), "-1");
  }

  /// A piece of the agent's text, as its model says it. It is the answer until it turns out that
  /// another text follows, which takes its place.
  private void piece(JsonNode frame, List<ServerEvent> all) {
    var update = answer.add(frame.path(0), frame.path(1));
    if (update.isEmpty()) return;
    all.add(artifact(TaskJson.answer(update.get().text()), update.get().isMore(), false));
  }

  /// The agent's words meanwhile, which is not its answer: with the calls that it makes.
  private void said(JsonNode values, List<ServerEvent> all) {
    var messages = values.path(graph.conversation().orElse("messages"));
    boolean isFirst = told.isEmpty();
    for (var message : messages) {
      if (!told.add(message.path("id").asString("")) || isFirst) continue;
      if (!message.path("type").asString("").equals("ai")) continue;
      var text = TaskJson.text(message.path("content"));
      if (message.path("tool_calls").isEmpty() || text.isEmpty()) continue;
      var status = Trees.object().put("state", TaskStates.WORKING);
      var shown = TaskJson.agentMessage(task.id(), task.context(), message.path("id").asString(""));
      shown.putArray("parts").addObject().put("text", text);
      status.set("message", shown);
      status.put("timestamp", Instant.now().truncatedTo(ChronoUnit.MILLIS).toString());
      all.add(update("statusUpdate", "status", status));
    }
  }

  private void end(List<ServerEvent> all) throws InterruptedException {
    isOver = true;
    var ended = tasks.find(task.id());
    for (var artifact : tasks.json().task(ended, 0, true).path("artifacts")) {
      var text = artifact.path("parts").path(0).path("text").asString("");
      boolean isAnswer = artifact.path("artifactId").asString("").equals(TaskJson.ANSWER);
      // All of it is there: only its end is told.
      boolean isSaid = isAnswer && answer.isWhole(text);
      all.add(artifact(isSaid ? TaskJson.answer("") : artifact, isSaid, true));
    }
    all.add(update("statusUpdate", "status", tasks.json().status(ended)));
  }

  private ServerEvent update(String kind, String name, JsonNode value) {
    var json = Trees.object();
    var update = json.putObject(kind).put("taskId", task.id()).put("contextId", task.context());
    update.set(name, value);
    return event(json);
  }

  private ServerEvent artifact(JsonNode artifact, boolean isMore, boolean isLast) {
    var json = Trees.object();
    var update = json.putObject("artifactUpdate");
    update.put("taskId", task.id()).put("contextId", task.context()).set("artifact", artifact);
    update.put("append", isMore).put("lastChunk", isLast);
    return event(json);
  }

  private ServerEvent event(ObjectNode result) {
    return new ServerEvent("", "", Trees.text(envelope.apply(result)));
  }

  @Override
  public boolean isOver() {
    return isOver;
  }

  @Override
  public void close(boolean isComplete) {
    if (run != null) run.close(isComplete);
  }
}
