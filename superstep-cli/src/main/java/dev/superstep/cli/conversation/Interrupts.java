package dev.superstep.cli.conversation;

import dev.superstep.checkpoint.ThreadBusy;
import dev.superstep.cli.host.SignalHandler;
import dev.superstep.terminal.TerminalConversation;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Ctrl-C while no question stands: the first stops the command that runs, another one, or one when
/// no command runs, ends the conversation. Safe for many threads.
final class Interrupts {
  private static final int TRIES = 200;
  private static final Duration PAUSE = Duration.ofMillis(50);

  private final StoppableRunner runner;
  private @Nullable TerminalConversation conversation;
  private @Nullable Thread aborting;
  private boolean hasStopped;

  Interrupts(StoppableRunner runner) {
    this.runner = runner;
  }

  /// Hears Ctrl-C from now on.
  void listen(SignalHandler signals) {
    signals.onInterrupt(this::interrupted);
  }

  /// Sets the conversation that Ctrl-C is about.
  synchronized void about(TerminalConversation current) {
    conversation = current;
    aborting = null;
    hasStopped = false;
  }

  /// The conversation is left: from now on Ctrl-C is about the command that runs, and nothing else.
  synchronized void over() {
    conversation = null;
    hasStopped = false;
  }

  /// A question was answered: the next Ctrl-C is the first again.
  synchronized void answered() {
    hasStopped = false;
  }

  synchronized void interrupted() {
    boolean isFirst = !hasStopped || conversation == null;
    if (isFirst && runner.stop()) {
      hasStopped = true;
      return;
    }
    var current = conversation;
    if (current == null || aborting != null) return;
    aborting = Thread.ofPlatform().name("superstep-abort").start(() -> abort(current));
  }

  private static void abort(TerminalConversation conversation) {
    for (int i = 0; i < TRIES; i++) {
      try {
        var _ = conversation.abort();
        return;
      } catch (ThreadBusy _) {
        // A run has begun meanwhile; it is cancelled, and gives the thread back.
        LockSupport.parkNanos(PAUSE.toNanos());
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  /// Waits for the end of an abort, if there is one.
  ///
  /// @return whether there was one
  boolean settle() throws InterruptedException {
    Thread thread;
    synchronized (this) {
      thread = aborting;
    }
    if (thread == null) return false;
    thread.join();
    return true;
  }
}
