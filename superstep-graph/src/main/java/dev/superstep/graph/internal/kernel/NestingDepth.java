package dev.superstep.graph.internal.kernel;

import dev.superstep.error.InvalidUse;
import java.util.List;

/// The number of runs around a thread, so that runs that start runs without end are noticed.
public final class NestingDepth {
  /// The largest number of runs that may be around one.
  public static final int DEPTH_MAX = 25;

  private static final ScopedValue<Integer> DEPTH = ScopedValue.newInstance();

  private NestingDepth() {}

  /// Refuses a run that is too deep in others.
  ///
  /// @param path the nodes that lead to the graph
  /// @throws InvalidUse if a graph may not run at this depth
  public static void check(int depth, String graph, List<String> path) {
    if (depth > DEPTH_MAX) throw InvalidUse.nestedTooDeep(graph, path, DEPTH_MAX);
  }

  /// Work to do at some depth.
  @FunctionalInterface
  public interface Work<T> {
    T run() throws InterruptedException;
  }

  /// The depth of a run that begins on this thread; 0 if no node is around it.
  public static int next() {
    return DEPTH.isBound() ? DEPTH.get() + 1 : 0;
  }

  public static <T> T at(int depth, Work<T> work) throws InterruptedException {
    return ScopedValue.where(DEPTH, depth).<T, InterruptedException>call(work::run);
  }

  /// Wraps work for another thread, which then has the depth of this one.
  public static Runnable carried(Runnable work) {
    return DEPTH.isBound() ? carried(DEPTH.get(), work) : work;
  }

  /// Wraps work for a thread that has no depth yet.
  public static Runnable carried(int depth, Runnable work) {
    return () -> ScopedValue.where(DEPTH, depth).run(work);
  }
}
