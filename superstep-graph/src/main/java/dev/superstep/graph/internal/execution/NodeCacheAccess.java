package dev.superstep.graph.internal.execution;

import dev.superstep.checkpoint.NodeCache;
import dev.superstep.graph.internal.kernel.CheckpointCodec;
import dev.superstep.graph.internal.kernel.CompiledGraph;
import dev.superstep.graph.internal.kernel.EngineLog;
import dev.superstep.graph.internal.kernel.Sha256;
import dev.superstep.graph.internal.kernel.Task;
import dev.superstep.graph.internal.kernel.TaskResult;
import dev.superstep.graph.internal.kernel.WriteCodec.ValueForm;
import dev.superstep.json.Json;
import dev.superstep.json.SuperstepException;
import dev.superstep.state.State;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Reads results of nodes from a run's cache and puts them there, as policies say. Shared by a run
/// and its subgraphs. Safe for many threads.
final class NodeCacheAccess {
  private final NodeCache cache;
  private final InstantSource clock;
  private volatile boolean broken;

  NodeCacheAccess(NodeCache cache, InstantSource clock) {
    this.cache = cache;
    this.clock = clock;
  }

  /// Under what the result of a task is cached, or null if it is not.
  static NodeCache.@Nullable Key key(CompiledGraph graph, State at, Task task) {
    // Answers of people are no part of the key.
    if (task.question() != null) return null;
    var policy = task.due().node().policy();
    var caching = policy == null ? null : policy.cache();
    if (caching == null) return null;
    var argument = task.due().stored().argument().map(Json::text).orElse("");
    var read = caching.key() == null ? "" : Json.of(caching.key().apply(at)).text();
    // Neither part has a line break of its own, so no two pairs give the same text.
    var input = digest(argument + "\n" + read);
    return new NodeCache.Key(graph.name(), task.node(), caching.version(), input);
  }

  /// The cached result, not yet completed; null if there is none that the graph can use.
  TaskResult.@Nullable Finished find(CompiledGraph graph, Task task, NodeCache.Key key) {
    if (broken) return null;
    try {
      var entry = cache.get(key);
      if (entry.isEmpty() || isPast(entry.get())) return null;
      return usable(graph, task, entry.get());
    } catch (RuntimeException e) {
      leave(e);
      return null;
    }
  }

  /// Keeps what a node returned.
  void put(CompiledGraph graph, Task task, NodeCache.Key key, TaskResult.Finished result) {
    if (broken) return;
    for (var write : result.writes()) if (!write.channel().isTracked()) return;
    var policy = task.due().node().policy();
    if (policy == null || policy.cache() == null) return;
    var until = policy.cache().ttl().flatMap(this::until);
    try {
      cache.put(key, new NodeCache.Entry(CheckpointCodec.finished(result, ValueForm.TEXT), until));
    } catch (RuntimeException e) {
      leave(e);
    }
  }

  private boolean isPast(NodeCache.Entry entry) {
    return entry.until().filter(until -> !clock.instant().isBefore(until)).isPresent();
  }

  /// Decodes a cached result; null if it does not fit, since another version of the program may
  /// have cached it.
  private static TaskResult.@Nullable Finished usable(
      CompiledGraph graph, Task task, NodeCache.Entry entry) {
    try {
      var result = new CheckpointCodec(graph).restored(entry.result());
      graph.check(task.due().node(), result);
      return result.asked() == null ? result : null;
    } catch (SuperstepException _) {
      return null;
    }
  }

  private Optional<Instant> until(Duration ttl) {
    try {
      return Optional.of(clock.instant().plus(ttl));
    } catch (DateTimeException | ArithmeticException _) {
      return Optional.empty();
    }
  }

  private void leave(RuntimeException error) {
    broken = true;
    EngineLog.warn("A node cache threw; the run goes on without it.", error);
  }

  private static String digest(String text) {
    return HexFormat.of().formatHex(Sha256.of(text));
  }
}
