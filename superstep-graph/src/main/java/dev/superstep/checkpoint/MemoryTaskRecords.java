package dev.superstep.checkpoint;

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
    tasks = open(tasks);
    return tasks.merge(task.task(), task, (old, next) -> old.isFinal() ? old : next);
  }

  StepRecord save(StepRecord step) {
    steps = open(steps);
    return steps.computeIfAbsent(new StepKey(step.task(), step.key()), _ -> step);
  }

  /// Keeps answers, all or none.
  ///
  /// @return false, and nothing is changed, if one of them was answered before, or is so here
  boolean answer(List<Answer> given) {
    var next = open(Map.<String, Answer>of());
    next.putAll(answers);
    for (var answer : given) {
      if (next.putIfAbsent(answer.interrupt(), answer) != null) return false;
    }
    answers = next;
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
    if (!tasks.isEmpty()) copy.tasks = new LinkedHashMap<>(tasks);
    if (!steps.isEmpty()) copy.steps = new LinkedHashMap<>(steps);
    if (!answers.isEmpty()) copy.answers = new LinkedHashMap<>(answers);
    return copy;
  }

  /// Returns a map to put into: a small new one for the shared empty map, which takes no memory.
  private static <K, V> Map<K, V> open(Map<K, V> map) {
    return map.isEmpty() ? LinkedHashMap.newLinkedHashMap(1) : map;
  }
}
