package dev.superstep.graph.internal.execution;

import dev.superstep.call.EffectCall;
import dev.superstep.checkpoint.LeaseLost;
import dev.superstep.checkpoint.StoreFailed;
import dev.superstep.graph.internal.kernel.AttemptPhase;
import dev.superstep.graph.internal.kernel.SavedEffect;
import dev.superstep.graph.internal.kernel.StepResults;
import dev.superstep.graph.internal.kernel.Task;
import dev.superstep.json.Codec;
import dev.superstep.json.Json;
import dev.superstep.node.Effect;
import dev.superstep.node.Retry;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Runs the steps of a node, or of an item in it: an effect whose result is saved is not run again.
/// For the thread of the node, or of the item.
final class StepRunner {
  private static final Codec<Instant> TIME = Codec.of(Instant.class);
  private static final Codec<Answered> ANSWERED = Codec.of(Answered.class);

  /// A request and the recorded answer to it.
  private record Answered(String request, Json answer) {}

  private final TaskContext context;
  private final RunScope scope;
  private final Task task;
  private final @Nullable StepResults results;

  StepRunner(TaskContext context, RunScope scope, Task task) {
    this.context = context;
    this.scope = scope;
    this.task = task;
    this.results = task.stepResults();
  }

  /// Runs a step that the node names.
  <T> T step(String key, Codec<T> codec, Retry retry, Callable<T> effect) throws Exception {
    return run(context.phase().use(task.node(), key), codec, retry, effect);
  }

  /// Runs a step that says what its effect is.
  <T> T step(String key, Effect effect, Codec<T> codec, Callable<T> body) throws Exception {
    var path = context.phase().use(task.node(), key);
    var guard = new EffectGuard(context, scope, task);
    var kept = results;
    var request = EffectGuard.request(effect);
    // An earlier version of the node may have saved the result alone.
    if (kept == null || request == null || kept.find(path) != null) {
      return run(path, codec, Retry.never(), body);
    }
    var name = task.node() + "/" + key;
    var before = guard.recorded(name, effect, path);
    if (before != null) {
      context.recalled();
      return codec.decode(before.result());
    }
    kept.begin(path);
    var json = codec.encodeLazily(result(path, Retry.never(), body));
    var made = new SavedEffect(name, request, json, false, Optional.empty());
    return codec.decode(guard.save(path, made).result());
  }

  /// Begins an effect whose code the node runs itself.
  EffectCall begin(String name, Effect effect) throws Exception {
    var path = context.phase().effect();
    var guard = new EffectGuard(context, scope, task);
    var request = EffectGuard.request(effect);
    if (results == null || request == null) return EffectGuard.unguarded();
    var before = guard.recorded(name, effect, path);
    if (before != null) context.recalled();
    return guard.call(name, request, path, before);
  }

  /// Runs a step that answers a request, and reports a saved answer to another one.
  <T> T call(String key, String request, Codec<T> codec, Callable<T> effect) throws Exception {
    var path = context.phase().use(task.node(), key);
    if (results == null) return result(path, Retry.never(), effect);
    Callable<Answered> answering = () -> new Answered(request, codec.encodeLazily(effect.call()));
    return answer(path, request, codec, run(path, ANSWERED, Retry.never(), answering));
  }

  /// Runs a step that answers a request, and after which the node has no other effect. Its result
  /// is read back only if it may change.
  <T> T lastCall(String key, String request, Codec<T> codec, Callable<T> effect) throws Exception {
    var path = context.phase().use(task.node(), key);
    if (results == null) return result(path, Retry.never(), effect);
    var known = results.find(path);
    if (known != null) return answer(path, request, codec, recalled(ANSWERED, known));
    results.begin(path);
    var json = codec.encodeLazily(result(path, Retry.never(), effect)).frozen();
    var result = codec.decode(json);
    var answered = ANSWERED.encodeLazily(new Answered(request, json));
    var _ = saved(() -> results.putLast(path, answered));
    return result;
  }

  private <T> T answer(String path, String request, Codec<T> codec, Answered answered) {
    var asked = answered.request();
    if (!asked.equals(request)) Objects.requireNonNull(results).differs(path, asked, request);
    return codec.decode(answered.answer());
  }

  /// Reads a clock; the reading is saved as a step that no node can name.
  Instant time(InstantSource clock) {
    context.checkMayAct();
    var path = context.phase().read();
    var known = results == null ? null : results.find(path);
    return TIME.decode(known != null ? known : record(path, TIME.encode(clock.instant())));
  }

  /// Returns the saved result of an item, or null.
  <T> @Nullable T recall(String item, Codec<T> codec) {
    var known = results == null ? null : results.find(item);
    return known == null ? null : recalled(codec, known);
  }

  /// Saves the result of an item.
  <T> T recordItem(String item, Codec<T> codec, T result) {
    return results == null ? result : codec.decode(record(item, codec.encodeLazily(result)));
  }

  private <T> T run(String path, Codec<T> codec, Retry retry, Callable<T> effect) throws Exception {
    if (results == null) return result(path, retry, effect);
    var known = results.find(path);
    if (known != null) return recalled(codec, known);
    results.begin(path);
    var result = result(path, retry, effect);
    // Read back, so that the node sees the same whether the effect ran or not.
    return codec.decode(record(path, codec.encodeLazily(result)));
  }

  private <T> T recalled(Codec<T> codec, Json known) {
    context.recalled();
    return codec.decode(known);
  }

  private Json record(String path, Json result) {
    return saved(() -> Objects.requireNonNull(results).putIfAbsent(path, result));
  }

  <T> T saved(Supplier<T> write) {
    try {
      return write.get();
    } catch (StoreFailed | LeaseLost e) {
      task.unsaved(e);
      throw e;
    }
  }

  private <T> T result(String path, Retry retry, Callable<T> effect) throws Exception {
    var around = context.phase();
    var retrying = new Retrying(scope, task, context.step(), retry, path);
    for (int number = 1; ; number++) {
      // Each attempt begins anew, so its questions and the steps in it are counted anew.
      context.phase(AttemptPhase.step(path));
      try {
        var result = effect.call();
        // An effect that caught its suspension, or came too late, has no result to keep.
        context.checkRecordable();
        return Objects.requireNonNull(
            result, () -> "step `" + path + "` of node `" + task.node() + "` gave null");
      } catch (Exception | Error e) {
        context.checkRecordable();
        if (context.isCancelled()) throw e;
        retrying.orThrow(e, number);
        context.heartbeat();
      } finally {
        context.phase(around);
      }
    }
  }
}
