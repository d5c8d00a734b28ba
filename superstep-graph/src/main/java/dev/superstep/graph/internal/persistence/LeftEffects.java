package dev.superstep.graph.internal.persistence;

import dev.superstep.checkpoint.Checkpoint;
import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.Lease;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.checkpoint.Memories;
import dev.superstep.checkpoint.Memory;
import dev.superstep.checkpoint.StepRecord;
import dev.superstep.graph.internal.kernel.ResumeRecords;
import dev.superstep.graph.internal.kernel.SavedEffect;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/// Finds the effects that a thread had after one of its checkpoints, in its own graph and in those
/// inside. For one thread.
public final class LeftEffects {
  private static final int PAGE = 100;

  private final Checkpointer store;
  private final String thread;
  private final Map<String, EffectPool.Effect> found = new LinkedHashMap<>();
  private final Set<String> tasks = new HashSet<>();
  // The checkpoint of the thread's own graph that is looked at.
  private String at = "";

  private LeftEffects(Checkpointer store, String thread) {
    this.store = store;
    this.thread = thread;
  }

  /// Saves the pool of a checkpoint that is to be made from an older one.
  ///
  /// @param lease of the thread that gets it
  /// @param isFree whether effects may happen again
  public static void save(
      Checkpointer store, Lease lease, Origin origin, Checkpoint made, boolean isFree) {
    var source = origin.thread();
    boolean isOther = !source.equals(lease.thread());
    var before = EffectPool.of(store, source);
    var left =
        isFree
            ? new EffectPool.Left(List.of(), Map.of(), before.undone())
            : new LeftEffects(store, source).left(origin.checkpoint(), before, isOther);
    boolean isFirst = before.isNew() || isOther;
    if (left.effects().isEmpty() && isFirst) return;
    EffectPool.save(store, lease, made, left, origin);
  }

  /// Saves the pool of a checkpoint that replaces another one, and drops some of its tasks.
  ///
  /// @param open the tasks that stay
  /// @param made the id of the new checkpoint
  public static void saveDropped(
      WriteStrategy writes, String thread, Checkpoint from, Set<String> open, String made) {
    var store = writes.store();
    var dropped = new LeftEffects(store, thread);
    dropped.at = from.id();
    dropped.look(Lineage.of(thread), from, task -> !open.contains(task));
    var before = EffectPool.of(store, thread);
    var undone = before.undone();
    dropped.found.keySet().removeAll(undone);
    boolean isFreed = dropped.claims(before).size() < before.claims().size();
    if (dropped.found.isEmpty() && !isFreed) return;
    var all = new ArrayList<>(before.effects());
    all.addAll(dropped.found.values());
    var lease = writes.direct().lease();
    var left = new EffectPool.Left(all, dropped.claims(before), undone);
    EffectPool.save(store, lease, from.withId(made), left, new Origin(thread, from));
  }

  /// The checkpoint of a thread from which another one is made.
  public record Origin(String thread, Checkpoint checkpoint) {}

  public static void confirm(Checkpointer store, Lease lease, Checkpoint made) {
    EffectPool.confirm(store, lease, made.id());
  }

  /// Effects of the history that now counts stay in the pool of their thread, taken by the tasks
  /// that had them: another rewind may leave that history again, through a checkpoint that is newer
  /// than they are.
  ///
  /// @param isOther whether it is for another thread, which never comes back before its start
  private EffectPool.Left left(Checkpoint from, EffectPool before, boolean isOther) {
    look(from);
    found.keySet().removeAll(before.undone());
    var own = before.effects().isEmpty() ? Line.EMPTY : line(from);
    var left = new LinkedHashMap<String, EffectPool.Effect>();
    var claims = claims(before);
    for (var effect : before.effects()) {
      var id = effect.id();
      if (before.undone().contains(id)) continue;
      boolean isOwn = own.has(effect);
      if (isOwn && isOther) continue;
      left.put(id, effect);
      if (isOwn) claims.put(id, id);
      else claims.remove(id, id);
    }
    left.putAll(found);
    claims.keySet().retainAll(left.keySet());
    return new EffectPool.Left(List.copyOf(left.values()), claims, before.undone());
  }

  /// The claims of tasks that were not looked at, and so remain.
  private Map<String, String> claims(EffectPool before) {
    var claims = new HashMap<>(before.claims());
    claims.values().removeIf(by -> tasks.contains(task(by)));
    return claims;
  }

  /// The task in the id of an effect, or of who has taken one.
  private static String task(String id) {
    return id.substring(0, id.indexOf(' '));
  }

  /// The checkpoints that led to one.
  ///
  /// @param before those and itself
  /// @param during those of them whose tasks led to it, too, and not to what was left
  private record Line(Set<String> before, Set<String> during) {
    static final Line EMPTY = new Line(Set.of(), Set.of());

    boolean has(EffectPool.Effect effect) {
      return (effect.isEarlier() ? before : during).contains(effect.checkpoint());
    }
  }

  private Line line(Checkpoint last) {
    var all = new HashMap<String, Checkpoint>();
    var before = Optional.of(last.id());
    while (true) {
      var page = store.page(Lineage.of(thread), before, PAGE);
      for (var checkpoint : page) all.put(checkpoint.id(), checkpoint);
      if (page.size() < PAGE) break;
      before = Optional.of(page.getLast().id());
    }
    var line = new Line(new HashSet<>(), new HashSet<>());
    line.before().add(last.id());
    var at = last;
    while (at != null) {
      boolean isFork = at.source() == Checkpoint.Source.FORK;
      var origin = isFork ? EffectPool.origin(store, thread, at.id()) : Optional.<String>empty();
      var next = origin.or(at::parent);
      if (next.isEmpty() || !line.before().add(next.get())) break;
      // From where a fork was made, other tasks ran.
      if (origin.isEmpty()) line.during().add(next.get());
      at = all.get(next.get());
    }
    return line;
  }

  /// Looks at the tasks that ran from this checkpoint and from all later ones.
  private void look(Checkpoint from) {
    var own = Lineage.of(thread);
    for (var checkpoint : since(own, Optional.of(from.id()))) {
      at = checkpoint.id();
      look(own, checkpoint, _ -> true);
    }
    at = from.id();
    // A run that saves at its end leaves there what its earlier tasks did, too.
    look(own, from, from.tasks()::contains);
  }

  /// The checkpoints after one of them, or all, the oldest first.
  private List<Checkpoint> since(Lineage lineage, Optional<String> from) {
    var all = new ArrayList<Checkpoint>();
    var before = Optional.<String>empty();
    while (true) {
      var page = store.page(lineage, before, PAGE);
      for (var checkpoint : page) {
        if (from.equals(Optional.of(checkpoint.id()))) return all.reversed();
        all.add(checkpoint);
      }
      if (page.size() < PAGE) return all.reversed();
      before = Optional.of(page.getLast().id());
    }
  }

  /// @param which the tasks whose steps count
  private void look(Lineage lineage, Checkpoint checkpoint, Predicate<String> which) {
    var ids = checkpoint.tasks();
    ids.stream().filter(which).forEach(tasks::add);
    steps(lineage, checkpoint.id(), ids, which);
    var due = checkpoint.progress().next();
    for (int i = 0; i < ids.size(); i++) {
      if (!which.test(ids.get(i))) continue;
      var left = checkpoint.progress().memories().at(Memories.path(due.get(i).node()));
      inside(ids.get(i), left);
    }
  }

  /// Looks at the graph inside a task.
  ///
  /// @param left the memory from which it continued, if it remembers
  private void inside(String task, Optional<Memory> left) {
    all(new Lineage(thread, task), Optional.empty());
    all(Lineage.ofMemory(thread, task + "@"), Optional.empty());
    if (left.isEmpty()) return;
    var memory = left.get();
    all(new Lineage(thread, memory.namespace()), Optional.of(memory.checkpoint()));
    all(Lineage.ofMemory(thread, task + "@" + memory.checkpoint()), Optional.empty());
  }

  private void all(Lineage lineage, Optional<String> after) {
    for (var checkpoint : since(lineage, after)) look(lineage, checkpoint, _ -> true);
  }

  /// @param own the tasks that ran from the checkpoint, where a run may have left steps of others
  private void steps(
      Lineage lineage, String checkpoint, List<String> own, Predicate<String> which) {
    for (var step : store.steps(lineage, checkpoint)) {
      if (SavedEffect.isKey(step.key())) {
        boolean isEarlier = lineage.namespace().isEmpty() && !own.contains(step.task());
        if (which.test(step.task())) add(step, isEarlier);
      } else if (ResumeRecords.isReservation(step)) {
        // Of tasks that began before their superstep.
        for (var early : store.steps(lineage, ResumeRecords.reserved(step.result()))) {
          if (SavedEffect.isKey(early.key())) add(early, false);
        }
      }
    }
  }

  private void add(StepRecord step, boolean isEarlier) {
    // Its checkpoint may not be there.
    tasks.add(step.task());
    var saved = SavedEffect.CODEC.decode(step.result());
    if (saved.of().isPresent()) return;
    var id = SavedEffect.id(step.task(), step.key());
    found.putIfAbsent(id, new EffectPool.Effect(id, at, isEarlier, saved));
  }
}
