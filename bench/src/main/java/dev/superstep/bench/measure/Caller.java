package dev.superstep.bench.measure;

import java.util.concurrent.FutureTask;

/// The kind of thread that starts a run.
public enum Caller {
  /// The main thread of the program.
  PLATFORM,
  /// A virtual thread, made for each call.
  VTHREAD;

  /// The name for tables.
  public String variant() {
    return this == PLATFORM ? "platform" : "vthread";
  }

  /// Does something on such a thread and waits for it.
  public void run(Span.Body body) throws Exception {
    if (this == PLATFORM) {
      body.run();
      return;
    }
    var task =
        new FutureTask<Void>(() -> {
          body.run();
          return null;
        });
    Thread.ofVirtual().start(task);
    task.get();
  }
}
