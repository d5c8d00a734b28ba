package dev.superstep.cli.host;

import dev.superstep.graph.RunStream;
import java.lang.reflect.Proxy;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// Handles Ctrl-C and SIGTERM, and prints how to resume the run before the process ends. Ctrl-C
/// cancels the run. SIGTERM drains it: tasks that run finish and are saved, and nothing else
/// begins; what has not finished in time is cancelled. Safe for many threads.
public final class SignalHandler {
  /// The time that tasks have after SIGTERM: half of the ten seconds after which many supervisors
  /// kill.
  private static final int DRAIN_MAX_SECONDS = 5;

  private static final int WAIT_MAX_SECONDS = 10;
  // What a shell reports of a command that Ctrl-C ended.
  private static final int NOTHING_KEPT = 130;
  private static final int TERMINATED = 143;

  private final CountDownLatch finished = new CountDownLatch(1);
  private final boolean isOfProcess;
  private @Nullable RunStream running;
  private @Nullable Runnable announcement;
  private @Nullable Runnable farewell;
  private boolean requested;
  private boolean draining;
  private int code = ExitCodes.INTERRUPTED;

  /// A handler that hears no signal.
  public SignalHandler() {
    this(false);
  }

  private SignalHandler(boolean isOfProcess) {
    this.isOfProcess = isOfProcess;
  }

  /// Installs a handler for the signals of this process.
  public static SignalHandler ofProcess() {
    var stop = new SignalHandler(true);
    Runtime.getRuntime().addShutdownHook(new Thread(stop::shutDown, "superstep-stop"));
    return stop;
  }

  /// Runs something at each Ctrl-C from now on, instead of ending the process.
  public void onInterrupt(Runnable action) {
    if (isOfProcess) handle("INT", action);
  }

  /// Runs something at the first Ctrl-C or SIGTERM, after which the command is expected to end by
  /// itself. A second one ends the process at once.
  public void onStop(Runnable action) {
    if (!isOfProcess) return;
    var isStopping = new AtomicBoolean();
    Runnable stop =
        () -> {
          if (isStopping.getAndSet(true)) Runtime.getRuntime().halt(TERMINATED);
          action.run();
        };
    handle("INT", stop);
    handle("TERM", stop);
  }

  /// The JDK has no other way to tell SIGTERM from Ctrl-C than `sun.misc.Signal`, of which javac
  /// warns wherever it is named, so it is named by a text.
  private static void handle(String name, Runnable action) {
    try {
      var signal = Class.forName("sun.misc.Signal");
      var handler = Class.forName("sun.misc.SignalHandler");
      var ours =
          Proxy.newProxyInstance(
              handler.getClassLoader(),
              new Class<?>[] {handler},
              (_, _, _) -> {
                action.run();
                return null;
              });
      var caught = signal.getConstructor(String.class).newInstance(name);
      signal.getMethod("handle", signal, handler).invoke(null, caught, ours);
    } catch (ReflectiveOperationException _) {
      // There is no such signal, or the JVM was told to leave signals alone: as with Ctrl-C.
    }
  }

  /// Notes that a run is in progress until [#runEnded].
  ///
  /// @param words says that the run will end, once it is drained
  public synchronized void runStarted(RunStream run, Runnable words) {
    if (isOfProcess && announcement == null) handle("TERM", this::terminate);
    running = run;
    announcement = words;
    if (requested) run.cancel();
    if (draining) run.drain();
  }

  /// Returns whether the process was told to end, so that nobody is asked anything more.
  public synchronized boolean isDraining() {
    return draining;
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

  /// Called on a thread of the JVM for signals.
  private void terminate() {
    boolean isOver = false;
    if (isDrained()) {
      try {
        isOver = finished.await(DRAIN_MAX_SECONDS, TimeUnit.SECONDS);
      } catch (InterruptedException _) {
        // Ends at once.
      }
    }
    if (!isOver) Runtime.getRuntime().exit(TERMINATED);
  }

  private synchronized boolean isDrained() {
    draining = true;
    if (running == null) return false;
    running.drain();
    if (announcement != null) announcement.run();
    return true;
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
