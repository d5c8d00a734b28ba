package dev.superstep.graph.internal.persistence;

import dev.superstep.checkpoint.Checkpoint;
import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.CheckpointerCapability;
import dev.superstep.checkpoint.Commit;
import dev.superstep.checkpoint.Fork;
import dev.superstep.checkpoint.Lease;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.checkpoint.Progress;
import dev.superstep.checkpoint.StepRecord;
import dev.superstep.graph.internal.kernel.SavedEffect;
import dev.superstep.json.Codec;
import dev.superstep.json.Json;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The effects that a thread had in the history that its last rewind, edit or fork left, and which
/// tasks of its history now have taken one of them as their own. Stored as a checkpoint of a
/// lineage of its own, that no rewind takes back. Safe for many threads.
public final class EffectPool {
  private static final String NAMESPACE = "~effects";
  private static final String EFFECT = "effect";
  private static final String CLAIM = "claim";
  private static final String MADE = "made";
  private static final String UNDONE = "undone";
  private static final String UNDOING = "/~u";
  private static final String ORIGIN = "origin";
  private static final String RUN = "effects";
  private static final int POOLS_MAX = 100;
  private static final Codec<Effect> CODEC = Codec.of(Effect.class);

  private final String id;
  private final Map<String, Effect> effects = new LinkedHashMap<>();
  // The claimants by the ids of effects.
  private final Map<String, String> claims = new HashMap<>();
  // The effects that were undone, and are none any more.
  private final Set<String> undone = new HashSet<>();

  private EffectPool(String id) {
    this.id = id;
  }

  /// An effect that was left.
  ///
  /// @param checkpoint the one of the thread's own graph in whose tasks it happened
  /// @param isEarlier whether it happened before that checkpoint, in a run that saves at its end
  public record Effect(String id, String checkpoint, boolean isEarlier, SavedEffect saved) {}

  /// The effects that a rewind, an edit or a fork leaves behind.
  ///
  /// @param claims who has taken which effect, and still is part of the history
  record Left(List<Effect> effects, Map<String, String> claims, Set<String> undone) {}

  private static Lineage lineage(String thread) {
    return new Lineage(thread, NAMESPACE);
  }

  /// Returns the pool of a thread, which is empty if nothing was left.
  public static EffectPool of(Checkpointer store, String thread) {
    var lineage = lineage(thread);
    for (var at : store.page(lineage, Optional.empty(), POOLS_MAX)) {
      var steps = store.steps(lineage, at.id());
      boolean isMade = steps.stream().anyMatch(step -> step.task().equals(MADE));
      // The process that was to make the fork may have died before or after that.
      if (!isMade && store.byId(Lineage.of(thread), at.id()).isEmpty()) continue;
      var pool = new EffectPool(at.id());
      steps.forEach(pool::add);
      return pool;
    }
    return new EffectPool("");
  }

  private void add(StepRecord step) {
    switch (step.task()) {
      case EFFECT -> effects.put(step.key(), CODEC.decode(step.result()));
      case CLAIM -> {
        var by = step.result().as(String.class);
        claims.put(step.key(), by);
        if (by.endsWith(UNDOING)) undone.add(step.key());
      }
      case UNDONE -> undone.add(step.key());
      default -> {
        // Nothing else is needed.
      }
    }
  }

  /// Saves the pool that a checkpoint is about to begin with.
  ///
  /// @param origin the checkpoint from which that one is made
  static void save(
      Checkpointer store, Lease lease, Checkpoint made, Left left, LeftEffects.Origin origin) {
    var lineage = lineage(lease.thread());
    var before = store.page(lineage, Optional.empty(), 1).stream().findFirst();
    var at =
        new Checkpoint(
            Checkpoint.FORMAT,
            made.id(),
            before.map(Checkpoint::id),
            made.generation(),
            0,
            Checkpoint.Source.FORK,
            made.at(),
            RUN,
            made.graph(),
            made.graphHash(),
            Progress.of(List.of()),
            Map.of());
    var steps = new ArrayList<StepRecord>();
    for (var one : left.effects()) {
      steps.add(new StepRecord(EFFECT, one.id(), CODEC.encode(one)));
    }
    left.claims().forEach((id, by) -> steps.add(new StepRecord(CLAIM, id, Json.string(by))));
    for (var one : left.undone()) steps.add(new StepRecord(UNDONE, one, Json.of(true)));
    var from = origin.checkpoint().id();
    steps.add(new StepRecord(ORIGIN, ORIGIN, Json.string(from)));
    boolean isFirst = before.isEmpty() && !origin.thread().equals(lease.thread());
    if (isFirst) {
      // What begins a thread as a fork shares the keys of its source.
      var fork = new Fork(Lineage.of(origin.thread()), from, lineage, at, List.of());
      var forks =
          CheckpointerCapability.required(
              store, CheckpointerCapability.ThreadForks.class, "A fork");
      if (!forks.fork(lease, fork)) throw new IllegalStateException("the source has changed");
      for (var step : steps) store.saveStep(lease, lineage, at.id(), step);
    } else {
      var commit = new Commit(lineage, at, List.of()).carrying(List.of(), steps, List.of());
      if (!store.commit(lease, commit)) throw new IllegalStateException("the thread is held");
    }
  }

  /// Marks the pool as the one of a checkpoint that was made.
  static void confirm(Checkpointer store, Lease lease, String made) {
    var lineage = lineage(lease.thread());
    if (store.byId(lineage, made).isEmpty()) return;
    store.saveStep(lease, lineage, made, new StepRecord(MADE, MADE, Json.of(true)));
  }

  /// Returns the checkpoint from which another one was made, if that left effects.
  static Optional<String> origin(Checkpointer store, String thread, String made) {
    return store.steps(lineage(thread), made).stream()
        .filter(step -> step.task().equals(ORIGIN))
        .map(step -> step.result().as(String.class))
        .findFirst();
  }

  /// The claimant of an effect that it undoes.
  public static String undoing(String claimant) {
    return claimant + UNDOING;
  }

  boolean isNew() {
    return id.isEmpty();
  }

  public boolean isEmpty() {
    return effects.isEmpty();
  }

  Set<String> undone() {
    return Set.copyOf(undone);
  }

  /// All effects and those who have taken them.
  List<Effect> effects() {
    return List.copyOf(effects.values());
  }

  Map<String, String> claims() {
    return Map.copyOf(claims);
  }

  /// Returns the effects of a name that nobody has taken.
  public synchronized List<Effect> open(String name) {
    var open = new ArrayList<Effect>();
    for (var effect : effects.values()) {
      if (effect.saved().name().equals(name) && !claims.containsKey(effect.id())) open.add(effect);
    }
    return open;
  }

  /// Returns the effect that somebody has taken before.
  ///
  /// @param claimant the task and the step
  public synchronized Optional<Effect> taken(String claimant) {
    return effects.values().stream()
        .filter(effect -> claimant.equals(claims.get(effect.id())))
        .findFirst();
  }

  /// Takes an open effect for a task, so that nobody else does.
  ///
  /// @param save saves a step of a checkpoint, and returns what stands
  /// @return false if somebody else was first
  public synchronized boolean take(Effect effect, String claimant, String thread, Saver save) {
    if (claims.containsKey(effect.id())) return false;
    var claim = new StepRecord(CLAIM, effect.id(), Json.string(claimant));
    var standing = save.step(lineage(thread), id, claim).result().as(String.class);
    claims.put(effect.id(), standing);
    return standing.equals(claimant);
  }

  /// Saves steps.
  @FunctionalInterface
  public interface Saver {
    StepRecord step(Lineage lineage, String checkpoint, StepRecord step);
  }
}
