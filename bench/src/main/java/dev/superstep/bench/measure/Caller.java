package dev.superstep.bench.measure;

import java.util.List;
import java.util.concurrent.FutureTask;

/// The kind of thread that starts a run.
public enum Caller {
  /// The main thread of the program.
  PLATFORM,
  /// A virtual thread, made for each call.
  VTHREAD;

  /// Those that do a case.
  public static List<Caller> of(Case what) {
    return what.isBrief() ? List.of(VTHREAD) : List.of(values());
  }

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
