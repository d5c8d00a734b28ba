package dev.superstep.graph;

import dev.superstep.event.Backlog;
import dev.superstep.event.Event;
import dev.superstep.event.EventFilter;
import dev.superstep.event.EventHub;
import dev.superstep.event.EventListener;
import dev.superstep.event.Subscription;
import dev.superstep.graph.internal.execution.RunControl;
import dev.superstep.graph.internal.kernel.NestingDepth;
import dev.superstep.run.Outcome;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.UnaryOperator;

/// A run at work on a thread of its own, and its events as they happen. Unless the run's options
/// say otherwise, the run waits when 1,024 events are unread, and nothing is dropped. Closing the
/// stream only stops the reading; [#cancel] stops the run.
///
/// The iterator is for one thread; everything else is safe for many.
public final class RunStream implements Iterable<Event>, AutoCloseable {
  private final EventHub hub = new EventHub();
  private final Subscription events;
  private final FutureTask<Outcome> work;
  private final Thread thread;
  private final RunControl control = new RunControl();
  private volatile boolean cancelsOnClose;

  private RunStream(
      Work run, UnaryOperator<Runnable> carrier, Thread.Builder threads, Backlog backlog) {
    this.events = hub.subscribe(EventFilter.all(), backlog);
    this.work = new FutureTask<>(() -> run.run(hub, control));
    this.thread = threads.unstarted(carrier.apply(NestingDepth.carried(this::runToTheEnd)));
  }

  /// @param carrier wraps work for another thread
  /// @param timed whether the run has a deadline, which it has to hold although nodes compute on
  ///   all carriers of virtual threads
  static RunStream start(
      UnaryOperator<Runnable> carrier, Backlog backlog, boolean timed, Work run) {
    var threads = timed ? Thread.ofPlatform().daemon() : Thread.ofVirtual();
    var stream = new RunStream(run, carrier, threads.name("superstep-run"), backlog);
    stream.thread.start();
    return stream;
  }

  /// The run, given its listener and its control.
  @FunctionalInterface
  interface Work {
    Outcome run(EventListener listener, RunControl control) throws Exception;
  }

  /// The events in order; ends when the run has ended. Each event is read once.
  @Override
  public Iterator<Event> iterator() {
    return events.iterator();
  }

  /// Restricts this stream, from now on and for events not read yet, to those that the filter
  /// chooses. In any case [#outcome] returns how the run ended and what it asks.
  public RunStream only(EventFilter filter) {
    events.only(filter);
    return this;
  }

  /// The number of events that were lost because the reader was slow; 0 unless the run's options
  /// allow such losses.
  public long lost() {
    return events.lost();
  }

  /// Waits for the end of the run. Unread events are dropped.
  ///
  /// @throws dev.superstep.json.SuperstepException if the run failed
  /// @throws InterruptedException if the calling thread is interrupted; the run continues
  public Outcome outcome() throws InterruptedException {
    events.close();
    try {
      return work.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException cause) throw cause;
      if (e.getCause() instanceof Error cause) throw cause;
      throw new IllegalStateException("the run ended with " + e.getCause(), e.getCause());
    }
  }

  /// Stops the run: its tasks are interrupted, nothing more is begun, and it ends as stopped.
  /// Finished work is saved. A node that ignores its interruption is abandoned after a moment;
  /// [#abandonedNodes] lists it.
  public void cancel() {
    control.cancel();
    thread.interrupt();
  }

  /// Stops the run when the current superstep has ended and is saved; then it ends as stopped and
  /// can be resumed. Subgraphs end in the same way, in the middle of a superstep of their outer
  /// graph; those of which nothing is saved first run to their end. A run that then has nothing
  /// left to do is completed.
  ///
  /// @see Drain
  public void drain() {
    control.drain();
  }

  /// The nodes that were abandoned and are still at work; their results are dropped. Empty once
  /// they have ended.
  public List<String> abandonedNodes() {
    return control.abandonedNodes();
  }

  /// This stream, which from now on cancels its run when it is closed before the run has ended.
  public RunStream cancelOnClose() {
    cancelsOnClose = true;
    return this;
  }

  /// Stops listening. The run continues, unless [#cancelOnClose] was called.
  @Override
  public void close() {
    events.close();
    if (cancelsOnClose && !work.isDone()) cancel();
  }

  private void runToTheEnd() {
    try {
      work.run();
    } finally {
      hub.close();
    }
  }

  @Override
  public String toString() {
    return "RunStream[" + (work.isDone() ? "ended" : "running") + "]";
  }
}
