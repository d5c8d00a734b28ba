package dev.superstep.a2a.server;

import dev.superstep.a2a.internal.Trees;
import dev.superstep.json.Json;
import dev.superstep.server.extension.RunChange;
import dev.superstep.server.extension.RunNotices;
import dev.superstep.server.graph.ServedGraph;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import tools.jackson.databind.JsonNode;

/// Tells webhooks of tasks: each change is a `task` with its status, and with its artifacts once it
/// is completed. Safe for many threads.
final class PushNotices implements RunNotices {
  private final Map<String, ServedGraph> graphs = new ConcurrentHashMap<>();

  /// Adds an agent, before its first task.
  void add(ServedGraph graph) {
    graphs.put(graph.id(), graph);
  }

  @Override
  public String field() {
    return TaskReader.TASK;
  }

  @Override
  public Optional<Json> notice(RunChange change) {
    var runs = change.runs().stream().map(Trees::of).toList();
    var metadata = runs.getFirst().path("metadata");
    var graph = graphs.get(metadata.path(TaskReader.AGENT).asString(""));
    if (graph == null) return Optional.empty();
    var id = metadata.path(TaskReader.TASK).asString("");
    var thread = Trees.of(change.thread());
    var open = new LinkedHashMap<String, JsonNode>();
    for (var task : thread.path("interrupts")) KnownTask.open(task, open);
    boolean isCanceled = thread.path("metadata").path(TaskReader.CANCELED).asString("").equals(id);
    var standing =
        new KnownTask.Standing(
            isCanceled, open, Trees.of(change.values()), KnownTask.error(thread));
    return Optional.of(of(new TaskJson(graph), KnownTask.of(id, runs, standing)));
  }

  /// The notice of a task as it stands. Its history is left out, which clients have or can ask for.
  static Json of(TaskJson json, KnownTask task) {
    return Trees.json(AgentOperations.wrapped(json.task(task, 0, true)));
  }
}
