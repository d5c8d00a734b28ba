package dev.superstep.agent.internal.loop;

import dev.superstep.node.ContextKey;
import dev.superstep.node.NodeContext;
import dev.superstep.tool.ToolCaller;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/// The limits that hold for all calls of an agent together, whatever node makes them: how many run
/// at once, and when an agent that is called must end. Not stored: a call that runs again when its
/// thread is resumed has its time anew. Safe for many threads.
final class CallLimits {
  private static final ContextKey<CallLimits> KEY =
      ContextKey.of("agent-call-limits", CallLimits.class);

  /// By the run of an agent.
  private final ConcurrentHashMap<String, Semaphore> permits = new ConcurrentHashMap<>();

  /// By the task that calls an agent.
  private final ConcurrentHashMap<String, Instant> deadlines = new ConcurrentHashMap<>();

  private CallLimits() {}

  static CallLimits of(NodeContext node) {
    return node.shared(KEY, CallLimits::new);
  }

  /// A call that runs. One thread at a time.
  interface Permit extends AutoCloseable {
    @Override
    void close();
  }

  /// Waits until a call may run.
  ///
  /// @throws InterruptedException if the run is cancelled
  static Permit permit(TurnContext context) throws InterruptedException {
    var spec = context.spec();
    // The engine limits the calls of a single node.
    if (!spec.callsGraphs()) return () -> {};
    int most = spec.calling().concurrency();
    var all =
        of(context.node()).permits.computeIfAbsent(context.run(), _ -> new Semaphore(most, true));
    all.acquire();
    return all::release;
  }

  /// The most time for a call of an agent or a graph, if it is limited.
  static Optional<Duration> time(String tool, TurnContext context) {
    var own = Optional.ofNullable(context.spec().limits().call());
    var call = context.tool(tool).flatMap(found -> ToolCaller.timeout(found, own));
    var left = context.timeLeft();
    if (call.isEmpty() || left.isEmpty()) return call.or(() -> left);
    return call.get().compareTo(left.get()) < 0 ? call : left;
  }

  /// Limits the time of the agent that a task calls.
  void limit(NodeContext task, Duration most) {
    deadlines.put(task.task(), task.clock().instant().plus(most));
  }

  /// When the agent of a node must have ended; null if no call around it has a limit.
  @Nullable Instant deadline(NodeContext node) {
    if (deadlines.isEmpty()) return null;
    Instant first = null;
    for (var task : node.enclosingTasks()) {
      var one = deadlines.get(task);
      if (one != null && (first == null || one.isBefore(first))) first = one;
    }
    return first;
  }
}
