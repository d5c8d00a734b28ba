package dev.superstep.checkpoint;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The records of the tasks that run from one checkpoint, each kind in the order in which it was
/// saved. Most checkpoints have none, and most others one. For one thread at a time.
final class MemoryTaskRecords {
  private Map<String, TaskRecord> tasks = Map.of();
  private Map<StepKey, StepRecord> steps = Map.of();
  private Map<String, Answer> answers = Map.of();

  private record StepKey(String task, String key) {}

  TaskRecord save(TaskRecord task) {
    var known = tasks.get(task.task());
    if (known != null && known.isFinal()) return known;
    tasks = with(tasks, task.task(), task);
    return task;
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

  List<TaskRecord> tasks() {
    return List.copyOf(tasks.values());
  }

  List<StepRecord> steps() {
    return List.copyOf(steps.values());
  }

  List<Answer> answers() {
    return List.copyOf(answers.values());
  }

  boolean isEmpty() {
    return tasks.isEmpty() && steps.isEmpty() && answers.isEmpty();
  }

  MemoryTaskRecords copy() {
    var copy = new MemoryTaskRecords();
    copy.tasks = new LinkedHashMap<>(tasks);
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
