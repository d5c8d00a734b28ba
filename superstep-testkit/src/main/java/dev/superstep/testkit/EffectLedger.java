package dev.superstep.testkit;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/// A service outside of the program, as its effects see it: it knows each effect by the task's id
/// and the step's key, and notes those that came again after their result was saved. Safe for many
/// threads.
final class EffectLedger {
  private final Map<String, Integer> performed = new ConcurrentHashMap<>();
  private final Set<String> saved = ConcurrentHashMap.newKeySet();
  private final List<String> repeated = new CopyOnWriteArrayList<>();

  /// Returns a ledger that has seen the same effects and counts further ones by itself.
  EffectLedger copy() {
    var copy = new EffectLedger();
    copy.performed.putAll(performed);
    copy.saved.addAll(saved);
    return copy;
  }

  void perform(String task, String key) {
    var id = id(task, key);
    performed.merge(id, 1, Integer::sum);
    if (saved.contains(id)) repeated.add(id);
  }

  /// The result of an effect was saved: it must not be asked for again.
  void saved(String task, String key) {
    saved.add(id(task, key));
  }

  /// The ids of all effects; a receiver that knows ids performs each of them once.
  Set<String> ids() {
    return new TreeSet<>(performed.keySet());
  }

  /// Effects that were performed again though their result had been saved.
  List<String> repeated() {
    return List.copyOf(repeated);
  }

  private static String id(String task, String key) {
    return task + " " + key;
  }
}
