package dev.superstep.registry;

import dev.superstep.event.BoundedQueue;
import java.util.Optional;

/// A listener's own queue at an [EventBus]. Safe for many threads.
public final class BusReader implements AutoCloseable {
  private final EventBus bus;
  private final Delivery delivery;
  private final BoundedQueue<BusEvent> queue;

  BusReader(EventBus bus, Delivery delivery) {
    this.bus = bus;
    this.delivery = delivery;
    this.queue = new BoundedQueue<>(_ -> true, delivery.backlog(), BusEvent::lost);
  }

  /// The next event, for which this waits; empty at the end.
  ///
  /// A transform of the [Delivery] that threw ends the reading with what it threw.
  ///
  /// @throws InterruptedException if interrupted while it waits
  public Optional<BusEvent> next() throws InterruptedException {
    return Optional.ofNullable(queue.take());
  }

  /// The number of events that were dropped because the listener was too slow.
  public long lost() {
    return queue.lost();
  }

  /// Stops listening, and drops unread events.
  @Override
  public void close() {
    bus.remove(this);
    queue.removeListener();
  }

  /// @throws dev.superstep.event.BacklogFull if no more may wait and that is a failure
  void put(BusEvent event) {
    Optional<BusEvent> formed;
    try {
      formed = delivery.formed(event);
    } catch (RuntimeException e) {
      // A transform is the listener's own: what it throws ends its reading, and nobody else's.
      bus.remove(this);
      queue.fail(e);
      return;
    }
    formed.ifPresent(queue::put);
  }

  /// Ends the stream; events that are in the queue can still be read.
  void end() {
    queue.end();
  }

  @Override
  public String toString() {
    return "BusReader[" + delivery + "]";
  }
}
