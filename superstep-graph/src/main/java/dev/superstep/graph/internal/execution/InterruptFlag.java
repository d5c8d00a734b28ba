package dev.superstep.graph.internal.execution;

import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.spi.AbstractInterruptibleChannel;
import org.jspecify.annotations.Nullable;

/// Remembers that the thread of a run was interrupted, also if a node swallows that. A channel,
/// since those alone hear of an interruption when it comes. A node that itself uses a channel is
/// not heard from there to its end; see docs/decisions/0064. Set and closed by one thread, asked by
/// many.
final class InterruptFlag extends AbstractInterruptibleChannel {
  private static final ThreadLocal<@Nullable InterruptFlag> CURRENT = new ThreadLocal<>();

  private final @Nullable InterruptFlag outer;
  private volatile boolean interrupted;

  private InterruptFlag(@Nullable InterruptFlag outer) {
    this.outer = outer;
  }

  /// Begins to listen to the calling thread.
  static InterruptFlag set() {
    var latch = new InterruptFlag(CURRENT.get());
    CURRENT.set(latch);
    latch.begin();
    return latch;
  }

  /// Returns whether the thread was interrupted, as soon as the interrupting thread goes on. A call
  /// on the thread itself listens again, if code that ran there had ended the listening.
  boolean wasInterrupted() {
    if (!interrupted && equals(CURRENT.get())) {
      pause();
      if (!interrupted) begin();
    }
    return interrupted;
  }

  /// Stops listening for a moment, and takes note of what came.
  private void pause() {
    try {
      end(true);
    } catch (ClosedByInterruptException _) {
      mark();
    } catch (AsynchronousCloseException _) {
      // Only an interruption closes it.
      mark();
    }
  }

  private void mark() {
    for (var at = this; at != null; at = at.outer) at.interrupted = true;
  }

  /// Ends listening; a run around on the same thread listens again.
  void end() {
    pause();
    if (outer == null) {
      CURRENT.remove();
      return;
    }
    CURRENT.set(outer);
    if (!outer.interrupted) outer.begin();
  }

  @Override
  protected void implCloseChannel() {
    mark();
  }
}
