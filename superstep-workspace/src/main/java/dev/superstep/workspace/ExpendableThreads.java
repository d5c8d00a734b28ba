package dev.superstep.workspace;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/// Platform threads for calls of the system that may never return: to open a named pipe waits for
/// its other end, to look up a name waits for a server. On a virtual thread such a call would keep
/// a carrier, and a few of them all virtual threads of the process. A thread that does not come
/// back in time is left behind, and works again for others once it does. Bounded: when all are
/// lost, calls fail instead.
final class ExpendableThreads {
  static final int THREADS_MAX = 64;
  private static final long IDLE_SECONDS = 10;
  private static final long STACK_BYTES = 262_144;

  private static final Semaphore FREE = new Semaphore(THREADS_MAX);
  private static final ThreadPoolExecutor THREADS =
      new ThreadPoolExecutor(
          0,
          Integer.MAX_VALUE, // the semaphore is the bound
          IDLE_SECONDS,
          TimeUnit.SECONDS,
          new SynchronousQueue<>(),
          Thread.ofPlatform()
              .name("superstep-opening-", 0)
              .daemon()
              .stackSize(STACK_BYTES)
              .factory());

  private ExpendableThreads() {}

  /// A call that was made. One thread waits for it.
  static final class Call<T> {
    private enum State {
      AWAITED,
      ENDED,
      LEFT
    }

    private final AtomicReference<State> state = new AtomicReference<>(State.AWAITED);
    private final FutureTask<T> task;

    /// @param late receives a result that arrives after the wait has ended
    private Call(Callable<T> work, Consumer<T> late) {
      this.task =
          new FutureTask<>(() -> {
            var result = work.call();
            if (!state.compareAndSet(State.AWAITED, State.ENDED)) late.accept(result);
            return result;
          });
    }

    /// Waits for a while.
    ///
    /// @return whether it has ended
    boolean await(Duration time) throws InterruptedIOException {
      try {
        task.get(time.toNanos(), TimeUnit.NANOSECONDS);
        return true;
      } catch (TimeoutException _) {
        return false;
      } catch (ExecutionException _) {
        return true;
      } catch (InterruptedException _) {
        throw interrupted();
      }
    }

    /// Its result, if it has ended; else it is left behind.
    ///
    /// @throws IOException what it threw, or that it has not ended
    T result(String why) throws IOException {
      if (state.compareAndSet(State.AWAITED, State.LEFT) && !task.isDone()) {
        throw new IOException(why);
      }
      try {
        return task.get();
      } catch (ExecutionException e) {
        if (e.getCause() instanceof IOException io) throw io;
        if (e.getCause() instanceof RuntimeException unchecked) throw unchecked;
        throw new IllegalStateException(e.getCause());
      } catch (InterruptedException _) {
        throw interrupted();
      }
    }

    private InterruptedIOException interrupted() {
      state.compareAndSet(State.AWAITED, State.LEFT);
      Thread.currentThread().interrupt();
      return new InterruptedIOException("interrupted while the system was asked");
    }
  }

  /// Begins a call.
  ///
  /// @param late receives a result that arrives after the wait has ended
  /// @throws IOException if no thread becomes free in time
  static <T> Call<T> begin(Callable<T> work, Consumer<T> late, Duration patience)
      throws IOException {
    try {
      if (!FREE.tryAcquire(patience.toNanos(), TimeUnit.NANOSECONDS)) {
        throw new IOException(
            "%d calls of the system do not return, such as those that open named pipes"
                .formatted(THREADS_MAX));
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while all threads were taken");
    }
    var call = new Call<>(work, late);
    try {
      THREADS.execute(() -> {
        try {
          call.task.run();
        } finally {
          FREE.release();
        }
      });
    } catch (RuntimeException | Error e) {
      FREE.release(); // no thread could be started
      throw e;
    }
    return call;
  }

  /// Waits until no call is in progress, so that every thread has come back. For tests.
  static boolean awaitAllFree(Duration time) throws InterruptedException {
    if (!FREE.tryAcquire(THREADS_MAX, time.toNanos(), TimeUnit.NANOSECONDS)) return false;
    FREE.release(THREADS_MAX);
    return true;
  }
}
