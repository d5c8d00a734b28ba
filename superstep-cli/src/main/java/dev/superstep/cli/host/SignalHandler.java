package dev.superstep.cli.host;

import dev.superstep.graph.RunStream;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Handles Ctrl-C and SIGTERM: cancels the run, and prints how to resume it before the process
/// ends. Safe for many threads.
public final class SignalHandler {
  private static final int WAIT_MAX_SECONDS = 10;
  // What a shell reports of a command that Ctrl-C ended.
  private static final int NOTHING_KEPT = 130;

  private final CountDownLatch finished = new CountDownLatch(1);
  private @Nullable RunStream running;
  private @Nullable Runnable farewell;
  private boolean requested;
  private int code = ExitCodes.INTERRUPTED;

  /// Installs a handler for the signals of this process.
  public static SignalHandler ofProcess() {
    var stop = new SignalHandler();
    Runtime.getRuntime().addShutdownHook(new Thread(stop::shutDown, "superstep-stop"));
    return stop;
  }

  /// Notes that a run is in progress until [#runEnded].
  public synchronized void runStarted(RunStream run) {
    running = run;
    if (requested) run.cancel();
  }

  /// Notes that no run is in progress; a person may be asked.
  ///
  /// @param words says how to resume, if the signal comes now
  public synchronized void runEnded(Runnable words) {
    running = null;
    farewell = words;
  }

  /// Notes that the command has printed everything.
  public void finished(int exit) {
    synchronized (this) {
      code = exit;
    }
    finished.countDown();
  }

  private void shutDown() {
    if (finished.getCount() == 0) return;
    if (!isCancelled()) Runtime.getRuntime().halt(leave());
    try {
      if (!finished.await(WAIT_MAX_SECONDS, TimeUnit.SECONDS)) leave();
    } catch (InterruptedException _) {
      leave();
    }
    synchronized (this) {
      Runtime.getRuntime().halt(code);
    }
  }

  private synchronized boolean isCancelled() {
    requested = true;
    if (running == null) return false;
    running.cancel();
    return true;
  }

  private synchronized int leave() {
    if (farewell == null) return NOTHING_KEPT;
    farewell.run();
    return ExitCodes.INTERRUPTED;
  }
}
