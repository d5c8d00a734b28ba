package dev.superstep.graph.internal.kernel;

import java.util.concurrent.ThreadFactory;

/// The threads of the engine.
public final class EngineThreads {
  private EngineThreads() {}

  /// Starts the thread of one attempt that may have to be left behind.
  public static Thread start(String run, String node, Runnable attempt) {
    return Thread.ofVirtual().name("superstep-" + run + "-" + node).start(attempt);
  }

  /// A thread that is not started yet.
  public static Thread of(String run, String name, Runnable work) {
    return Thread.ofVirtual().name("superstep-" + run + "-" + name).unstarted(work);
  }

  /// Makes threads for work that must continue although nodes compute on all carriers of virtual
  /// ones: renewing leases and watching time. They keep no process alive.
  public static ThreadFactory besides(String what) {
    return Thread.ofPlatform().daemon().name("superstep-" + what + "-", 0).factory();
  }
}
