package dev.superstep.team;

import dev.superstep.detached.OwnedTasks;
import dev.superstep.detached.TaskInfo;
import dev.superstep.json.Json;
import dev.superstep.middleware.AgentContext;
import dev.superstep.team.TaskTools.Status;
import dev.superstep.team.TaskTools.View;
import dev.superstep.tool.ToolResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Answers what one agent asks of its tasks. For the thread of the call.
final class TaskToolHandlers {
  static final String PATH = "path";
  static final String KIND = "kind";
  static final String PARENT = "parent";
  static final String ROOT = "root";
  static final String THREAD = "thread";
  static final String NODE = "node";

  private static final int SECONDS = 30;

  private final OwnedTasks<String> owned;
  private final String path;
  private final AgentContext context;

  /// @param path of the work that the agent is itself; empty if it is none
  TaskToolHandlers(OwnedTasks<String> owned, String path, AgentContext context) {
    this.owned = owned;
    this.path = path;
    this.context = context;
  }

  ToolResult await(TaskTools.Await asked) throws InterruptedException {
    var refused = refusal(asked.tasks());
    if (refused.isPresent()) return refused.get();
    long end = end(asked.seconds());
    for (var id : asked.tasks()) owned.await(id, left(end));
    return views(asked.tasks().stream().map(owned::info), true);
  }

  ToolResult race(TaskTools.Race asked) throws InterruptedException {
    var refused = refusal(asked.tasks());
    if (refused.isPresent()) return refused.get();
    long end = end(asked.seconds());
    var running = new LinkedHashSet<>(asked.tasks());
    while (!running.isEmpty()) {
      var first = owned.awaitAny(running, left(end));
      if (first.isEmpty()) return views(asked.tasks().stream().map(owned::info), true);
      running.remove(first.get());
      var info = owned.info(first.get());
      if (Status.of(info.state()) != Status.FINISHED) continue;
      if (!asked.keepOthers().orElse(false)) for (var id : running) stop(id);
      return views(Stream.of(info), true);
    }
    return new ToolResult(
        views(asked.tasks().stream().map(owned::info), true).content(),
        true,
        Optional.empty(),
        Optional.empty(),
        false);
  }

  ToolResult list(TaskTools.Listing asked) {
    return views(
        owned.all().stream()
            .filter(this::isOurs)
            .filter(info -> has(info, PARENT, asked.parent()))
            .filter(info -> has(info, ROOT, asked.root()))
            .filter(info -> has(info, THREAD, asked.thread()))
            .filter(info -> has(info, NODE, asked.node()))
            .filter(info -> has(info, KIND, asked.kind().map(Enum::name)))
            .filter(info -> asked.status().map(Status.of(info.state())::equals).orElse(true))
            .filter(info -> asked.createdFrom().map(t -> !info.started().isBefore(t)).orElse(true))
            .filter(info -> asked.createdUntil().map(info.started()::isBefore).orElse(true)),
        false);
  }

  ToolResult cancel(TaskTools.Cancel asked) throws InterruptedException {
    var refused = refusal(asked.tasks());
    if (refused.isPresent()) return refused.get();
    for (var id : asked.tasks()) stop(id);
    return views(asked.tasks().stream().map(owned::info), true);
  }

  /// Cancels a task, and then what it has started.
  private void stop(String id) throws InterruptedException {
    owned.cancel(id);
    var inside = owned.info(id).labels().getOrDefault(PATH, "") + "/";
    for (var info : owned.all()) {
      boolean isInside = info.labels().getOrDefault(PATH, "").startsWith(inside);
      if (isInside && !info.state().hasEnded()) owned.cancel(info.id());
    }
  }

  /// Why an agent may not ask for one of these, if it may not.
  private Optional<ToolResult> refusal(List<String> ids) {
    var others = new ArrayList<String>();
    for (var id : ids) if (!isOurs(owned.info(id))) others.add(id);
    return others.isEmpty()
        ? Optional.empty()
        : Optional.of(ToolResult.error("These tasks were not started by you: " + others + "."));
  }

  private boolean isOurs(TaskInfo<String> info) {
    return info.labels().getOrDefault(PATH, "").startsWith(path + "/");
  }

  private static boolean has(TaskInfo<String> info, String label, Optional<String> wanted) {
    return wanted.isEmpty() || wanted.get().equals(info.labels().get(label));
  }

  /// When to wait no longer, by the system's clock; the agent's own time is not exceeded.
  private long end(Optional<Integer> seconds) {
    var most = Duration.ofSeconds(seconds.orElse(SECONDS));
    var left = context.timeLeft().orElse(most);
    return System.nanoTime() + (left.compareTo(most) < 0 ? left : most).toNanos();
  }

  private static Duration left(long end) {
    return Duration.ofNanos(Math.max(0, end - System.nanoTime()));
  }

  private static ToolResult views(Stream<TaskInfo<String>> infos, boolean isWhole) {
    var views = infos.map(info -> View.of(info, isWhole)).toList();
    return ToolResult.of(Json.of(new TaskTools.Views(views)).text());
  }
}
