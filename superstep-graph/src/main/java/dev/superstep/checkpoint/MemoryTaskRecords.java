package dev.superstep.checkpoint;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The records of the tasks that run from one checkpoint, each kind in the order in which it was
/// saved. Most checkpoints have none, and most others one. For one thread at a time.
final class MemoryTaskRecords {
  private Map<String, TaskRecord> tasks = Map.of();
  // Those whose ids are made of their checkpoint and their node, by node. They are kept without the
  // id, which would take a tenth of a waiting thread.
  private Map<String, TaskRecord> plain = Map.of();
  private Map<StepKey, StepRecord> steps = Map.of();
  private Map<String, Answer> answers = Map.of();

  private record StepKey(String task, String key) {}

  /// @param scope the start of the ids of tasks, if their checkpoint is there
  TaskRecord save(TaskRecord task, @Nullable String scope) {
    var id = task.task();
    boolean isPlain =
        scope != null && !tasks.containsKey(id) && id.equals(plainId(scope, task.node()));
    var known = isPlain ? plain.get(task.node()) : tasks.get(id);
    if (known != null && known.isFinal()) return isPlain ? renamed(known, "", id) : known;
    if (isPlain) plain = with(plain, task.node(), renamed(task, id, ""));
    else tasks = with(tasks, id, task);
    return task;
  }

  private static String plainId(String scope, String node) {
    return scope + "/" + node;
  }

  private static TaskRecord renamed(TaskRecord task, String from, String to) {
    if (!(task.end() instanceof TaskRecord.End.Waiting(var interrupts))) {
      return new TaskRecord(to, task.node(), task.end());
    }
    var own = new ArrayList<Interrupt>(interrupts.size());
    for (var each : interrupts) own.add(each.task().equals(from) ? each.withTask(to) : each);
    return new TaskRecord(to, task.node(), new TaskRecord.End.Waiting(own));
  }

  StepRecord save(StepRecord step) {
    var key = new StepKey(step.task(), step.key());
    var known = steps.get(key);
    if (known != null) return known;
    steps = with(steps, key, step);
    return step;
  }

  /// Keeps answers, all or none.
  ///
  /// @return false, and nothing is changed, if one of them was answered before, or is so here
  boolean answer(List<Answer> given) {
    var ids = new HashSet<>(answers.keySet());
    for (var answer : given) if (!ids.add(answer.interrupt())) return false;
    for (var answer : given) answers = with(answers, answer.interrupt(), answer);
    return true;
  }

  /// @param scope the start of the ids of tasks
  List<TaskRecord> tasks(String scope) {
    var all = new ArrayList<>(tasks.values());
    for (var task : plain.values()) all.add(renamed(task, "", plainId(scope, task.node())));
    return List.copyOf(all);
  }

  List<StepRecord> steps() {
    return List.copyOf(steps.values());
  }

  List<Answer> answers() {
    return List.copyOf(answers.values());
  }

  boolean isEmpty() {
    return tasks.isEmpty() && plain.isEmpty() && steps.isEmpty() && answers.isEmpty();
  }

  MemoryTaskRecords copy() {
    var copy = new MemoryTaskRecords();
    copy.tasks = new LinkedHashMap<>(tasks);
    copy.plain = new LinkedHashMap<>(plain);
    copy.steps = new LinkedHashMap<>(steps);
    copy.answers = new LinkedHashMap<>(answers);
    return copy;
  }

  /// Puts an entry into a map of which few have more than one: the first is an immutable map of its
  /// own, a quarter of the size.
  ///
  /// @return the map to use from now on
  static <K, V> Map<K, V> with(Map<K, V> map, K key, V value) {
    if (map.isEmpty() || (map.size() == 1 && map.containsKey(key))) return Map.of(key, value);
    var more = map.size() == 1 ? new LinkedHashMap<>(map) : map;
    more.put(key, value);
    return more;
  }
}
