package dev.superstep.graph;

import dev.superstep.event.Event;
import dev.superstep.event.EventListener;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/// A run at work on a thread of its own, and its events as they happen. The run waits when 1,024
/// events are unread; nothing is dropped. Closing the stream lets the run go on unheard; [#cancel]
/// stops it.
///
/// The iterator is for one thread; everything else is safe for many.
public final class RunStream implements Iterable<Event>, AutoCloseable {
  private final EventQueue queue = new EventQueue();
  private final FutureTask<Outcome> work;
  private final Thread thread;
  private volatile boolean cancelled;
  private volatile boolean draining;

  private RunStream(Work run, String name) {
    this.work = new FutureTask<>(() -> run.run(queue::put, this));
    this.thread = Thread.ofVirtual().name(name).unstarted(Nesting.carried(this::runToTheEnd));
  }

  static RunStream start(String name, Work run) {
    var stream = new RunStream(run, name);
    stream.thread.start();
    return stream;
  }

  /// The run, given whom to tell.
  @FunctionalInterface
  interface Work {
    Outcome run(EventListener listener, RunStream stream) throws Exception;
  }

  /// The events in order; ends when the run has ended. To be called once.
  @Override
  public Iterator<Event> iterator() {
    return new Events();
  }

  /// Waits for the end of the run. Events that nobody has read are let go.
  ///
  /// @throws dev.superstep.json.SuperstepException if the run failed
  /// @throws InterruptedException if the calling thread is interrupted; the run goes on
  public Outcome outcome() throws InterruptedException {
    queue.unhear();
    try {
      return work.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException cause) throw cause;
      if (e.getCause() instanceof Error cause) throw cause;
      throw new IllegalStateException("the run ended with " + e.getCause(), e.getCause());
    }
  }

  /// Stops the run: its tasks are interrupted, and it ends as stopped. What finished is kept.
  public void cancel() {
    cancelled = true;
    thread.interrupt();
  }

  /// Stops the run when the superstep at work has ended and is saved; then it ends as stopped and
  /// can be resumed. A run that has nothing left to do then is completed.
  public void drain() {
    draining = true;
  }

  boolean isDraining() {
    return draining;
  }

  boolean isCancelled() {
    return cancelled;
  }

  /// Stops listening. The run goes on.
  @Override
  public void close() {
    queue.unhear();
  }

  private void runToTheEnd() {
    try {
      work.run();
    } finally {
      queue.end();
    }
  }

  private final class Events implements Iterator<Event> {
    private @Nullable Event next;

    @Override
    public boolean hasNext() {
      if (next != null) return true;
      try {
        next = queue.take();
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
      }
      return next != null;
    }

    @Override
    public Event next() {
      if (!hasNext()) throw new NoSuchElementException("the run has ended");
      var event = next;
      next = null;
      if (event == null) throw new NoSuchElementException("the run has ended");
      return event;
    }
  }
}
