package dev.superstep.repl;

import dev.superstep.repl.host.HostFailure;
import dev.superstep.repl.host.HostFunction;
import dev.superstep.repl.host.HostValue;
import dev.superstep.repl.internal.value.Meter;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;

/// Carries the calls of the host from the thread of a cell to the thread that waits for the cell.
/// For one cell.
final class CallDispatcher implements HostCalls {
  private final LinkedBlockingQueue<Note> notes = new LinkedBlockingQueue<>();
  private final Object lock = new Object();
  private @Nullable Thread serving;
  private boolean wasStopped;
  private @Nullable Error thrown;

  private sealed interface Note {}

  private record Asked(
      HostFunction function, Map<String, HostValue> arguments, CompletableFuture<HostValue> answer)
      implements Note {}

  private record Ended() implements Note {}

  @Override
  public HostValue call(Meter m, HostFunction function, Map<String, HostValue> arguments)
      throws HostFailure, InterruptedException {
    var asked = new Asked(function, arguments, new CompletableFuture<>());
    long start = System.nanoTime();
    notes.add(asked);
    try {
      return asked.answer().get();
    } catch (ExecutionException e) {
      switch (e.getCause()) {
        case HostFailure failure -> throw failure;
        case InterruptedException interrupted -> throw interrupted;
        case RuntimeException failure -> throw failure;
        case null, default ->
            throw HostFailure.fatal("suspended", function.signature().name() + "() has no answer");
      }
    } finally {
      // What others take is not the time of the cell.
      m.give(System.nanoTime() - start);
    }
  }

  /// Says that the cell has ended.
  void end() {
    notes.add(new Ended());
  }

  /// Answers the calls of a cell until it has ended. What a call throws that is no exception, such
  /// as a suspension, ends the cell and is thrown then.
  ///
  /// @param cancel ends the cell
  /// @return whether the caller was interrupted meanwhile
  boolean serve(Runnable cancel) {
    boolean wasInterrupted = false;
    while (true) {
      try {
        switch (notes.take()) {
          case Ended _ -> {
            if (thrown != null) throw thrown;
            return wasInterrupted;
          }
          case Asked asked -> wasInterrupted |= answer(asked);
        }
      } catch (InterruptedException _) {
        wasInterrupted = true;
        cancel.run();
      }
    }
  }

  private boolean answer(Asked asked) {
    synchronized (lock) {
      serving = Thread.currentThread();
    }
    boolean isOwn = false;
    Throwable failure = null;
    HostValue value = HostValue.NOTHING;
    try {
      value = asked.function().call(asked.arguments());
    } catch (Error e) {
      thrown = e;
      failure = e;
    } catch (InterruptedException e) {
      failure = e;
      isOwn = true;
    } catch (HostFailure | RuntimeException e) {
      failure = e;
    }
    synchronized (lock) {
      serving = null;
      // The interrupt of a cancel is for the call alone.
      if (wasStopped) {
        isOwn = false;
        Thread.interrupted();
      }
    }
    if (failure == null) asked.answer().complete(value);
    else asked.answer().completeExceptionally(failure);
    return isOwn;
  }

  /// Interrupts the call that is being answered, if one is.
  void stop() {
    synchronized (lock) {
      if (serving == null) return;
      wasStopped = true;
      serving.interrupt();
    }
  }
}
