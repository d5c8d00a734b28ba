package dev.superstep.testkit.model;

import java.util.concurrent.Semaphore;

/// Holds threads back until a test lets them pass. Safe for many threads.
final class Gate {
  private final Semaphore leaves = new Semaphore(0, true);
  private final Count blocked = new Count("threads at the gate");
  private volatile boolean isOpen;

  Gate(boolean isClosed) {
    this.isOpen = !isClosed;
  }

  void pass() throws InterruptedException {
    if (isOpen) return;
    blocked.add(1);
    try {
      leaves.acquire();
    } finally {
      blocked.add(-1);
    }
    // Who opened the gate let one pass; each lets the next.
    if (isOpen) leaves.release();
  }

  void release(int threads) {
    leaves.release(threads);
  }

  void open() {
    isOpen = true;
    leaves.release();
  }

  Count blocked() {
    return blocked;
  }
}
