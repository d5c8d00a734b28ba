package dev.superstep.a2a.server;

import dev.superstep.a2a.internal.Trees;
import dev.superstep.server.graph.ServedGraph;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// The tasks of an agent as clients see them. Safe for many threads.
record TaskJson(ServedGraph graph) {
  /// The id of the artifact that is the agent's answer.
  static final String ANSWER = "answer";

  /// A task.
  ///
  /// @param history the most messages; negative for all
  ObjectNode task(KnownTask task, int history, boolean hasArtifacts) {
    var json = Trees.object().put("id", task.id()).put("contextId", task.context());
    json.set("status", status(task));
    var messages = messages(task);
    if (hasArtifacts && task.state().equals(TaskStates.COMPLETED)) {
      var artifacts = artifacts(task, messages);
      if (!artifacts.isEmpty()) json.set("artifacts", artifacts);
    }
    var said = messages.stream().filter(TaskJson::isSaid).toList();
    if (history != 0 && !said.isEmpty()) {
      var shown = json.putArray("history");
      int from = history < 0 ? 0 : Math.max(0, said.size() - history);
      for (var message : said.subList(from, said.size())) shown.add(message(task, message));
    }
    return json;
  }

  ObjectNode status(KnownTask task) {
    var status = Trees.object().put("state", task.state());
    if (task.state().equals(TaskStates.INPUT_REQUIRED)) {
      var id = String.join("+", task.open().keySet());
      var message = agentMessage(task.id(), task.context(), id);
      var parts = message.putArray("parts");
      task.open()
          .forEach((question, asked) -> {
            parts.addObject().put("text", Questions.text(asked));
            var data = parts.addObject().put("mediaType", "application/json").putObject("data");
            data.put("question", question).set("value", asked);
          });
      status.set("message", message);
    } else if (task.state().equals(TaskStates.FAILED)) {
      var message = agentMessage(task.id(), task.context(), task.run().path("run_id").asString(""));
      message.putArray("parts").addObject().put("text", task.error());
      status.set("message", message);
    }
    var time = TaskReader.at(task.run(), "updated_at").truncatedTo(ChronoUnit.MILLIS);
    return status.put("timestamp", time.toString());
  }

  static ObjectNode agentMessage(String task, String context, String id) {
    var message = Trees.object().put("messageId", id).put("role", "ROLE_AGENT");
    return message.put("taskId", task).put("contextId", context);
  }

  /// The messages of the task: from its first message to that of the next task.
  private List<JsonNode> messages(KnownTask task) {
    var own = new HashSet<String>();
    for (var run : task.runs()) own.add(run.path("metadata").path(TaskReader.MESSAGE).asString(""));
    var all = new ArrayList<JsonNode>();
    boolean isInside = false;
    for (var message : task.values().path(graph.conversation().orElse("messages"))) {
      var type = message.path("type").asString("");
      if (type.equals("human")) isInside = own.contains(message.path("id").asString(""));
      if (isInside && !type.equals("system")) all.add(message);
    }
    return Collections.unmodifiableList(all);
  }

  /// Returns whether a message is between user and agent. Tool calls and their results are not: an
  /// agent does not show its inside to others.
  private static boolean isSaid(JsonNode message) {
    var type = message.path("type").asString("");
    if (!type.equals("ai")) return type.equals("human");
    var content = message.path("content");
    if (content.isString()) return !content.asString().isEmpty();
    var parts = JsonNodeFactory.instance.arrayNode();
    for (var block : content) part(block, parts);
    return !parts.isEmpty();
  }

  private static ObjectNode message(KnownTask task, JsonNode message) {
    boolean isUser = message.path("type").asString("").equals("human");
    var json = agentMessage(task.id(), task.context(), message.path("id").asString(""));
    if (isUser) json.put("role", "ROLE_USER");
    var parts = json.putArray("parts");
    var content = message.path("content");
    if (content.isString()) parts.addObject().set("text", content);
    else for (var block : content) part(block, parts);
    if (parts.isEmpty()) parts.addObject().put("text", "");
    return json;
  }

  private static void part(JsonNode block, ArrayNode parts) {
    switch (block.path("type").asString("")) {
      case "text" -> parts.addObject().set("text", block.path("text"));
      case "image", "audio", "video", "file" -> {
        var part = parts.addObject();
        if (block.has("url")) part.set("url", block.path("url"));
        else part.set("raw", block.path("data"));
        if (block.has("mimeType")) part.set("mediaType", block.path("mimeType"));
      }
      default -> {}
    }
  }

  private ArrayNode artifacts(KnownTask task, List<JsonNode> messages) {
    var all = JsonNodeFactory.instance.arrayNode();
    var answer = "";
    for (var message : messages) {
      boolean isAnswer =
          message.path("type").asString("").equals("ai") && message.path("tool_calls").isEmpty();
      if (isAnswer) answer = text(message.path("content"));
    }
    if (!answer.isEmpty()) all.add(answer(answer));
    var outputs = outputs(task.values());
    if (!outputs.isEmpty()) {
      var artifact = all.addObject().put("artifactId", "output").put("name", "output");
      var part = artifact.putArray("parts").addObject().put("mediaType", "application/json");
      part.set("data", outputs);
    }
    return all;
  }

  static ObjectNode answer(String text) {
    var artifact = Trees.object().put("artifactId", ANSWER).put("name", ANSWER);
    artifact.putArray("parts").addObject().put("text", text).put("mediaType", "text/plain");
    return artifact;
  }

  /// The values that a graph gives back: those that it names; all if it has no conversation.
  private ObjectNode outputs(JsonNode values) {
    var given = Trees.object();
    var conversation = graph.conversation().orElse("");
    boolean isWhole = graph.outputs().isEmpty() && conversation.isEmpty();
    values.forEachEntry((name, value) -> {
      boolean isGiven = isWhole || graph.outputs().contains(name);
      if (isGiven && !name.equals(conversation)) given.set(name, value);
    });
    return given;
  }

  static String text(JsonNode content) {
    if (content.isString()) return content.stringValue();
    return Trees.parts(content);
  }
}
