package dev.superstep.bench.measure;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/// Many tasks that wait until they are interrupted. Safe for many threads.
public final class Blocked {
  private final CountDownLatch entered;
  private final CountDownLatch never = new CountDownLatch(1);
  private final AtomicInteger interrupted = new AtomicInteger();

  /// @param tasks how many there will be
  public Blocked(int tasks) {
    this.entered = new CountDownLatch(tasks);
  }

  /// Waits, and counts that it was interrupted.
  public void block() throws InterruptedException {
    entered.countDown();
    try {
      never.await();
    } catch (InterruptedException e) {
      interrupted.incrementAndGet();
      throw e;
    }
  }

  /// The same as all that a thread does.
  public void blockQuietly() {
    try {
      block();
    } catch (InterruptedException _) {
      // It was counted.
    }
  }

  /// Waits until all of them wait.
  public void awaitAll() throws InterruptedException {
    entered.await();
  }

  /// How many were interrupted.
  public int interrupted() {
    return interrupted.get();
  }
}
