package dev.superstep.a2a.server;

import dev.superstep.a2a.internal.Trees;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Lists the tasks of an agent, those that changed last first. Of very many, those of the newest
/// thousand runs are listed.
final class TaskList {
  private static final int RUNS_MAX = 1_000;
  private static final int PAGE = 50;
  private static final int PAGE_MAX = 100;

  private final TaskReader tasks;
  private final String agent;

  TaskList(TaskReader tasks, String agent) {
    this.tasks = tasks;
    this.agent = agent;
  }

  ObjectNode page(JsonNode params) throws InterruptedException {
    int size = number(params.path("pageSize"), PAGE, 1, PAGE_MAX);
    int from = token(params.path("pageToken").asString(""));
    int history = number(params.path("historyLength"), 0, 0, Integer.MAX_VALUE);
    boolean hasArtifacts = params.path("includeArtifacts").asBoolean(false);
    var wanted = wanted(params);
    var json = Trees.object();
    var shown = json.putArray("tasks");
    int end = Math.min(wanted.size(), from + size);
    for (int i = from; i < end; i++) {
      shown.add(tasks.json().task(known(wanted.get(i)), history, hasArtifacts));
    }
    json.put("nextPageToken", end < wanted.size() ? String.valueOf(end) : "");
    return json.put("pageSize", size).put("totalSize", wanted.size());
  }

  /// A task by its runs, the newest first, before its thread is read.
  private record Entry(String task, List<JsonNode> runs) {
    Instant updated() {
      return TaskReader.at(runs.getFirst(), "updated_at");
    }
  }

  private KnownTask known(Entry entry) throws InterruptedException {
    return tasks.known(entry.task(), entry.runs());
  }

  /// Those that are asked for. Threads are read only where a state is asked for, since a page has
  /// few of them.
  private List<Entry> wanted(JsonNode params) throws InterruptedException {
    var metadata = Trees.object().put(TaskReader.AGENT, agent);
    var context = params.path("contextId").asString("");
    var byTask = new LinkedHashMap<String, List<JsonNode>>();
    for (var run : tasks.runs(metadata, context, RUNS_MAX)) {
      var task = run.path("metadata").path(TaskReader.TASK).asString("");
      byTask.computeIfAbsent(task, _ -> new ArrayList<>()).add(run);
    }
    var state = params.path("status").asString("");
    boolean isAny = state.isEmpty() || state.equals("TASK_STATE_UNSPECIFIED");
    var after = after(params.path("statusTimestampAfter").asString(""));
    var all = new ArrayList<Entry>();
    for (var task : byTask.entrySet()) {
      var entry = new Entry(task.getKey(), task.getValue());
      if (entry.updated().isBefore(after)) continue;
      if (isAny || known(entry).state().equals(state)) all.add(entry);
    }
    all.sort(Comparator.comparing(Entry::updated).reversed());
    return all;
  }

  private static Instant after(String text) {
    try {
      return text.isEmpty() ? Instant.EPOCH : Instant.parse(text);
    } catch (DateTimeParseException _) {
      throw RpcError.params("`statusTimestampAfter` must be a time of ISO 8601.");
    }
  }

  private static int token(String text) {
    try {
      int from = text.isEmpty() ? 0 : Integer.parseInt(text);
      if (from >= 0) return from;
    } catch (NumberFormatException _) {
      // It is none of ours.
    }
    throw RpcError.params("`pageToken` is none that this agent gave.");
  }

  static int number(JsonNode value, int absent, int least, int most) {
    if (Trees.isNone(value)) return absent;
    if (value.isIntegralNumber() && value.canConvertToInt()) {
      int number = value.intValue();
      if (number >= least && number <= most) return number;
    }
    throw RpcError.params("A number must be whole and from %d to %d.".formatted(least, most));
  }
}
