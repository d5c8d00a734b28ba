package dev.superstep.mcp.server.internal.protocol;

import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/// Lets so many requests of a session work at once, and so many more wait. Safe for many threads.
public final class RequestSlots {
  private final Semaphore free;
  private final AtomicInteger waiting = new AtomicInteger();
  private final int queue;

  public RequestSlots(int atOnce, int queue) {
    this.free = new Semaphore(atOnce, true);
    this.queue = queue;
  }

  /// The time of a request at work.
  public interface Slot extends AutoCloseable {
    @Override
    void close();
  }

  /// Waits for a slot.
  ///
  /// @throws RpcFailure if too many wait already
  public Slot take() throws RpcFailure, InterruptedException {
    if (free.tryAcquire()) return free::release;
    if (waiting.incrementAndGet() > queue) {
      waiting.decrementAndGet();
      throw new RpcFailure(
          Rpc.BUSY, "The session has too many requests at work; wait for some to end.");
    }
    try {
      free.acquire();
      return free::release;
    } finally {
      waiting.decrementAndGet();
    }
  }
}
