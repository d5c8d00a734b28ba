package dev.superstep.cli.conversation;

import dev.superstep.cli.host.SignalHandler;
import dev.superstep.terminal.TerminalConversation;
import org.jspecify.annotations.Nullable;

/// Ctrl-C while no question stands: the first stops the command that runs, another one, or one when
/// no command runs, ends the conversation. Safe for many threads.
final class Interrupts {
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

  /// A question was answered: the next Ctrl-C is the first again.
  synchronized void answered() {
    hasStopped = false;
  }

  synchronized void interrupted() {
    if (!hasStopped && runner.stop()) {
      hasStopped = true;
      return;
    }
    var current = conversation;
    if (current == null || aborting != null) return;
    aborting = Thread.ofPlatform().name("superstep-abort").start(() -> abort(current));
  }

  private static void abort(TerminalConversation conversation) {
    try {
      var _ = conversation.abort();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
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
