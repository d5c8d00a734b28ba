package dev.superstep.lock;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// A lock that a `try` statement holds. Its holder may take it again. Safe for many threads.
///
/// ```java
/// try (var _ = lock.hold()) {
///   entries.clear();
/// }
/// ```
public final class Mutex {
  private final ReentrantLock lock = new ReentrantLock();
  private final Hold hold = lock::unlock;

  /// The time in which one thread has the lock.
  public interface Hold extends AutoCloseable {
    @Override
    void close();
  }

  /// Takes the lock, and waits for it as long as that takes.
  public Hold hold() {
    lock.lock();
    return hold;
  }

  /// Takes the lock, unless the thread is interrupted before it has it.
  public Hold holdInterruptibly() throws InterruptedException {
    lock.lockInterruptibly();
    return hold;
  }

  /// Something that holders of this lock wait for.
  public Condition newCondition() {
    return lock.newCondition();
  }
}
