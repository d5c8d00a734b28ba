package dev.superstep.graph.internal.execution;

import dev.superstep.call.EffectCall;
import dev.superstep.error.EffectRefused;
import dev.superstep.graph.internal.kernel.AttemptPhase;
import dev.superstep.graph.internal.kernel.SavedEffect;
import dev.superstep.graph.internal.kernel.StepResults;
import dev.superstep.graph.internal.kernel.Task;
import dev.superstep.graph.internal.persistence.EffectPool;
import dev.superstep.json.Json;
import dev.superstep.node.ContextKey;
import dev.superstep.node.Effect;
import dev.superstep.node.EffectConflict;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Decides whether an effect is made, or was made in the history that the thread has left. For the
/// thread of the node, or of the item.
final class EffectGuard {
  private static final ContextKey<EffectPool> POOL = ContextKey.of("~effects", EffectPool.class);

  private final TaskContext context;
  private final RunScope scope;
  private final Task task;

  EffectGuard(TaskContext context, RunScope scope, Task task) {
    this.context = context;
    this.scope = scope;
    this.task = task;
  }

  /// The request of the effect, or null if the effect may happen twice.
  static @Nullable Json request(Effect effect) {
    return switch (effect) {
      case Effect.None _, Effect.Idempotent _ -> null;
      case Effect.Reversible(var request, _) -> request;
      case Effect.Irreversible(var request) -> request;
    };
  }

  /// Returns the effect that was made before and counts for this one; null if it is to be made.
  @Nullable SavedEffect recorded(String name, Effect effect, String path) throws Exception {
    var own = results().find(SavedEffect.key(path));
    if (own != null) return SavedEffect.CODEC.decode(own);
    var leases = scope.threadLeases();
    // A replay has none, and asks nobody.
    if (leases == null) return null;
    var thread = scope.options().thread().orElseThrow();
    var pool =
        (EffectPool) scope.limits().shared(POOL, () -> EffectPool.of(leases.own().store(), thread));
    return pool.isEmpty() ? null : new Choice(pool, name, effect, path).made();
  }

  /// Saves an effect, and returns the one that stands.
  SavedEffect save(String path, SavedEffect effect) {
    var json = SavedEffect.CODEC.encodeLazily(effect);
    return SavedEffect.CODEC.decode(
        context.steps().saved(() -> results().putIfAbsent(SavedEffect.key(path), json)));
  }

  /// The call of an effect that may happen twice.
  static EffectCall unguarded() {
    return new Call(null, null, "", Json.ofNull(), "");
  }

  /// @param before the effect that counts for this one, if there is one
  EffectCall call(String name, Json request, String path, @Nullable SavedEffect before) {
    return new Call(this, before, name, request, path);
  }

  private record Call(
      @Nullable EffectGuard guard,
      @Nullable SavedEffect before,
      String name,
      Json request,
      String path)
      implements EffectCall {
    @Override
    public Optional<Json> recorded() {
      return Optional.ofNullable(before).map(SavedEffect::result);
    }

    @Override
    public void made(Json result, boolean isUncertain) {
      if (guard == null) return;
      var made = new SavedEffect(name, request, result, isUncertain, Optional.empty());
      var json = SavedEffect.CODEC.encodeLazily(made);
      guard.context.steps().saved(() -> guard.results().putLast(SavedEffect.key(path), json));
    }
  }

  private StepResults results() {
    return Objects.requireNonNull(task.stepResults());
  }

  /// The choice between what was left and a new effect.
  private final class Choice {
    private final EffectPool pool;
    private final String name;
    private final Effect effect;
    private final String path;
    private final String claimant;

    Choice(EffectPool pool, String name, Effect effect, String path) {
      this.pool = pool;
      this.name = name;
      this.effect = effect;
      this.path = path;
      this.claimant = task.id() + " " + path;
    }

    @Nullable SavedEffect made() throws Exception {
      var taken = pool.taken(claimant);
      if (taken.isPresent()) return use(taken.get());
      var undone = pool.taken(EffectPool.undoing(claimant));
      if (undone.isPresent() && effect instanceof Effect.Reversible(_, var undo)) {
        undo(undone.get(), undo);
        return null;
      }
      var request = Objects.requireNonNull(request(effect));
      while (true) {
        var open = pool.open(name);
        if (open.isEmpty()) return null;
        var equal = open.stream().filter(one -> isSame(one, request)).findFirst();
        if (equal.isEmpty()) return different(open, request);
        if (take(equal.get(), claimant)) return use(equal.get());
      }
    }

    private static boolean isSame(EffectPool.Effect one, Json request) {
      var saved = one.saved();
      // The order of fields means nothing.
      return !saved.isUncertain() && saved.request().canonical().equals(request.canonical());
    }

    private boolean take(EffectPool.Effect one, String by) {
      var writes = Objects.requireNonNull(scope.threadLeases()).own();
      return context
          .steps()
          .saved(() -> pool.take(one, by, scope.options().thread().orElseThrow(), writes::step));
    }

    private SavedEffect use(EffectPool.Effect one) {
      var saved = one.saved();
      var of = Optional.of(one.id());
      return save(path, new SavedEffect(name, saved.request(), saved.result(), false, of));
    }

    private @Nullable SavedEffect different(List<EffectPool.Effect> open, Json request)
        throws Exception {
      if (effect instanceof Effect.Reversible(_, var undo)) {
        var one = open.getFirst();
        if (!take(one, EffectPool.undoing(claimant))) return made();
        undo(one, undo);
        return null;
      }
      var recorded =
          open.stream()
              .map(
                  e -> new EffectConflict.Recorded(e.id(), e.saved().request(), e.saved().result()))
              .toList();
      var conflict = new EffectConflict(name, request, recorded);
      return switch (decision(conflict)) {
        case EffectConflict.Decision.Perform _ -> null;
        case EffectConflict.Decision.UseRecorded(var id) -> used(open, id);
        case EffectConflict.Decision.Refuse(var why) -> throw new EffectRefused(name, why);
      };
    }

    private EffectConflict.Decision decision(EffectConflict conflict) {
      var around = context.phase();
      // Apart from the questions of the node and of the effect.
      context.phase(AttemptPhase.step(path + "/~g"));
      try {
        var ids = conflict.recorded().stream().map(EffectConflict.Recorded::id).toList();
        while (true) {
          var decision = context.interrupt(EffectConflict.QUESTION, conflict);
          boolean isKnown =
              !(decision instanceof EffectConflict.Decision.UseRecorded(var id))
                  || ids.contains(id);
          if (isKnown) return decision;
        }
      } finally {
        context.phase(around);
      }
    }

    private @Nullable SavedEffect used(List<EffectPool.Effect> open, String id) throws Exception {
      var one = open.stream().filter(e -> e.id().equals(id)).findFirst().orElseThrow();
      return take(one, claimant) ? use(one) : made();
    }

    private void undo(EffectPool.Effect one, Effect.Undo undo) throws Exception {
      var key = path + "/~u";
      if (results().find(key) != null) return;
      undo.undo(one.saved().request(), one.saved().result());
      var _ = context.steps().saved(() -> results().putIfAbsent(key, Json.of(true)));
    }
  }
}
