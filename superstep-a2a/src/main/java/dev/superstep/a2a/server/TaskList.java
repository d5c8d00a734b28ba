package dev.superstep.a2a.server;

import dev.superstep.a2a.internal.Trees;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Lists the tasks of an agent, those that changed last first, by their runs in that order. A page
/// looks at a bounded number of runs, and may have fewer tasks than were asked for; the next one
/// goes on where it ended. For one request.
final class TaskList {
  private static final int PAGE = 50;
  private static final int PAGE_MAX = 100;
  private static final int RUNS_READ = 100;
  private static final int RUNS_MAX = 300;
  private static final int RUNS_COUNTED = 1_000;
  private static final int RUNS_OF_TASK_MAX = 1_000;

  /// The only status that the newest run of a task in a state can have, where there is one.
  private static final Map<String, String> STATUSES =
      Map.of(
          TaskStates.SUBMITTED, "pending",
          TaskStates.WORKING, "running",
          TaskStates.COMPLETED, "success");

  private final TaskReader tasks;
  private final String agent;
  private final Set<String> seen = new HashSet<>();

  TaskList(TaskReader tasks, String agent) {
    this.tasks = tasks;
    this.agent = agent;
  }

  /// The tasks that are wanted.
  ///
  /// @param context empty for any
  /// @param state empty for any
  private record Wanted(String context, String state, Instant after) {}

  ObjectNode page(JsonNode params) throws InterruptedException {
    int size = number(params.path("pageSize"), PAGE, 1, PAGE_MAX);
    int history = number(params.path("historyLength"), 0, 0, Integer.MAX_VALUE);
    boolean hasArtifacts = params.path("includeArtifacts").asBoolean(false);
    var state = params.path("status").asString("");
    var wanted =
        new Wanted(
            params.path("contextId").asString(""),
            state.equals("TASK_STATE_UNSPECIFIED") ? "" : state,
            after(params.path("statusTimestampAfter").asString("")));
    var from = PagePlace.of(params.path("pageToken").asString(""));
    var found = new ArrayList<KnownTask>();
    var next = next(found, size, from, wanted);
    var json = Trees.object();
    var shown = json.putArray("tasks");
    for (var task : found) shown.add(tasks.json().task(task, history, hasArtifacts));
    json.put("nextPageToken", next.map(PagePlace::token).orElse(""));
    int known = from.tasks() + found.size();
    int total = next.isEmpty() ? known : Math.max(known + 1, counted(wanted));
    return json.put("pageSize", size).put("totalSize", total);
  }

  /// The number of the tasks of the newest runs. With a state nobody knows it without looking at
  /// each, so that it is 0.
  private int counted(Wanted wanted) throws InterruptedException {
    if (!wanted.state().isEmpty()) return 0;
    var query = query(wanted).put("limit", RUNS_COUNTED);
    query.putArray("select").add("metadata").add("updated_at");
    var all = new HashSet<String>();
    for (var run : tasks.search(query)) {
      if (TaskReader.at(run, "updated_at").isBefore(wanted.after())) break;
      all.add(run.path("metadata").path(TaskReader.TASK).asString(""));
    }
    return all.size();
  }

  /// Finds the tasks of a page.
  ///
  /// @return where the next page begins, if there may be one
  private Optional<PagePlace> next(List<KnownTask> found, int size, PagePlace from, Wanted wanted)
      throws InterruptedException {
    var place = from;
    int offset = from.firstRead();
    for (int read = 0; read < RUNS_MAX; read += RUNS_READ) {
      var runs = runs(wanted, offset);
      for (int i = 0; i < runs.size(); i++) {
        var run = runs.path(i);
        // Runs that changed since the page before have moved others back.
        if (!from.isBefore(run)) continue;
        if (TaskReader.at(run, "updated_at").isBefore(wanted.after())) return Optional.empty();
        var task = task(run, wanted);
        if (task.isPresent() && found.size() == size) return Optional.of(place);
        task.ifPresent(found::add);
        place = place.after(run, offset + i + 1, task.isPresent());
      }
      if (runs.size() < RUNS_READ) return Optional.empty();
      offset += runs.size();
    }
    return Optional.of(place.atLeast(offset));
  }

  private JsonNode runs(Wanted wanted, int offset) throws InterruptedException {
    return tasks.search(query(wanted).put("limit", RUNS_READ).put("offset", offset));
  }

  private ObjectNode query(Wanted wanted) {
    var query = Trees.object().put("sort_by", "updated_at");
    query.putObject("metadata").put(TaskReader.AGENT, agent);
    if (!wanted.context().isEmpty()) query.put("thread_id", wanted.context());
    var status = STATUSES.get(wanted.state());
    if (status != null) query.put("status", status);
    return query;
  }

  /// The task of a run, if it is wanted and this is its newest run: of the others it was listed
  /// before.
  private Optional<KnownTask> task(JsonNode run, Wanted wanted) throws InterruptedException {
    var id = run.path("metadata").path(TaskReader.TASK).asString("");
    if (!seen.add(id)) return Optional.empty();
    var query = Trees.object().put(TaskReader.TASK, id).put(TaskReader.AGENT, agent);
    var runs = tasks.runs(query, run.path("thread_id").asString(""), RUNS_OF_TASK_MAX);
    boolean isNewest = !runs.isEmpty() && runs.getFirst().path("run_id").equals(run.path("run_id"));
    if (!isNewest) return Optional.empty();
    var task = tasks.known(id, runs);
    return wanted.state().isEmpty() || wanted.state().equals(task.state())
        ? Optional.of(task)
        : Optional.empty();
  }

  private static Instant after(String text) {
    try {
      return text.isEmpty() ? Instant.EPOCH : Instant.parse(text);
    } catch (DateTimeParseException _) {
      throw RpcError.params("`statusTimestampAfter` must be a time of ISO 8601.");
    }
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
