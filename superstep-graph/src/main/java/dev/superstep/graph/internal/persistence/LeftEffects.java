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
    var before = EffectPool.of(store, source);
    var effects =
        isFree
            ? List.<EffectPool.Effect>of()
            : new LeftEffects(store, source).left(origin.checkpoint(), before);
    if (effects.isEmpty() && (before.isNew() || !source.equals(lease.thread()))) return;
    var left = new EffectPool.Left(effects, before.undone());
    EffectPool.save(store, lease, made, left, origin.checkpoint().id());
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
    var all = new ArrayList<EffectPool.Effect>();
    boolean isChanged = !dropped.found.isEmpty();
    for (var one : before.effects()) {
      if (undone.contains(one.id())) continue;
      var by = before.claimant(one.id());
      boolean isFreed = by.isPresent() && dropped.tasks.contains(task(by.get()));
      isChanged = isChanged || isFreed;
      if (by.isEmpty() || isFreed) all.add(one);
    }
    if (!isChanged) return;
    all.addAll(dropped.found.values());
    var lease = writes.direct().lease();
    var left = new EffectPool.Left(all, undone);
    EffectPool.save(store, lease, from.withId(made), left, from.id());
  }

  /// The checkpoint of a thread from which another one is made.
  public record Origin(String thread, Checkpoint checkpoint) {}

  public static void confirm(Checkpointer store, Lease lease, Checkpoint made) {
    EffectPool.confirm(store, lease, made.id());
  }

  private List<EffectPool.Effect> left(Checkpoint from, EffectPool before) {
    look(from);
    found.keySet().removeAll(before.undone());
    var own = before.effects().isEmpty() ? Set.<String>of() : ancestors(from);
    var due = from.tasks();
    var left = new ArrayList<EffectPool.Effect>();
    for (var effect : before.effects()) {
      var by = before.claimant(effect.id());
      boolean isUndone = before.undone().contains(effect.id());
      boolean isTaken = isUndone || (by.isPresent() && !tasks.contains(task(by.get())));
      boolean isHere = effect.checkpoint().equals(from.id()) && !due.contains(task(effect.id()));
      boolean isOwn = isHere || own.contains(effect.checkpoint());
      if (!isTaken && !isOwn && !found.containsKey(effect.id())) left.add(effect);
    }
    left.addAll(found.values());
    return left;
  }

  /// The task in the id of an effect, or of who has taken one.
  private static String task(String id) {
    return id.substring(0, id.indexOf(' '));
  }

  /// The checkpoints that led to this one.
  private Set<String> ancestors(Checkpoint from) {
    var parents = new HashMap<String, String>();
    var before = Optional.of(from.id());
    while (true) {
      var page = store.page(Lineage.of(thread), before, PAGE);
      for (var checkpoint : page) {
        parent(checkpoint).ifPresent(parent -> parents.put(checkpoint.id(), parent));
      }
      if (page.size() < PAGE) break;
      before = Optional.of(page.getLast().id());
    }
    var ancestors = new HashSet<String>();
    var next = parent(from);
    while (next.isPresent() && ancestors.add(next.get())) {
      next = Optional.ofNullable(parents.get(next.get()));
    }
    return ancestors;
  }

  private Optional<String> parent(Checkpoint checkpoint) {
    if (checkpoint.source() != Checkpoint.Source.FORK) return checkpoint.parent();
    return EffectPool.origin(store, thread, checkpoint.id()).or(checkpoint::parent);
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
    steps(lineage, checkpoint.id(), which);
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

  private void steps(Lineage lineage, String checkpoint, Predicate<String> which) {
    for (var step : store.steps(lineage, checkpoint)) {
      if (SavedEffect.isKey(step.key())) {
        if (which.test(step.task())) add(step);
      } else if (ResumeRecords.isReservation(step)) {
        // Of tasks that began before their superstep.
        steps(lineage, ResumeRecords.reserved(step.result()), _ -> true);
      }
    }
  }

  private void add(StepRecord step) {
    var saved = SavedEffect.CODEC.decode(step.result());
    if (saved.of().isPresent()) return;
    var id = SavedEffect.id(step.task(), step.key());
    found.putIfAbsent(id, new EffectPool.Effect(id, at, saved));
  }
}
