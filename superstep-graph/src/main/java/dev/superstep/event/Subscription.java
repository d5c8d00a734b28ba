package dev.superstep.event;

import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/// A reader's own queue at an [EventHub]. The iterator waits for events, and ends when the hub or
/// the subscription is closed; it is for one thread, everything else is safe for many.
public final class Subscription implements Iterable<Event>, AutoCloseable {
  private final EventHub hub;
  private final BoundedQueue<Event> queue;

  Subscription(EventHub hub, EventFilter filter, Backlog backlog) {
    this.hub = hub;
    this.queue =
        new BoundedQueue<>(
            filter::matches,
            backlog,
            (last, count) -> new Event.EventsDropped(last.origin(), count));
  }

  /// The events in order. Each is read once, however many iterators there are. If the reading
  /// thread is interrupted, the iterator ends and the thread stays interrupted. With
  /// [Backlog#failing], it throws [BacklogFull] where events are missing.
  @Override
  public Iterator<Event> iterator() {
    return new Events();
  }

  /// This subscription, from now on and of what waits only for what the filter chooses.
  public Subscription only(EventFilter filter) {
    queue.only(filter::matches);
    return this;
  }

  /// The number of events that were lost because the reader was too slow.
  public long lost() {
    return queue.lost();
  }

  /// Stops listening; unread events are dropped.
  @Override
  public void close() {
    hub.remove(this);
    queue.removeListener();
  }

  void put(Event event) {
    try {
      queue.put(event);
    } catch (BacklogFull e) {
      queue.fail(e); // the reader's matter, not that of the run
    }
  }

  /// No more events will come; what waits can still be read.
  void end() {
    queue.end();
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
      var event = hasNext() ? next : null;
      if (event == null) throw new NoSuchElementException("no more events come");
      next = null;
      return event;
    }
  }

  @Override
  public String toString() {
    return "Subscription[" + lost() + " events lost]";
  }
}
