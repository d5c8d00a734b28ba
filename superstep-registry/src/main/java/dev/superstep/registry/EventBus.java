package dev.superstep.registry;

import dev.superstep.event.Event;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/// Where the parts of a program tell what happens, and where listeners hear of it what they chose,
/// in the form that each may see. Bounded: who is slow loses events, makes others wait or fails, as
/// its [Delivery] says.
///
/// ```java
/// var bus = new EventBus();
/// registry.listener(event -> bus.publish(BusEvent.of(event)));
/// graph.invoke(input, options.listener(bus::tell));
/// bus.deliver(Delivery.of(BusFilter.atLeast(Level.WARNING)), event -> page(event));
/// ```
///
/// Within one process, and only from when a listener was added. Safe for many threads.
public final class EventBus implements AutoCloseable {
  private final List<BusReader> readers = new CopyOnWriteArrayList<>();
  private final List<Required> required = new CopyOnWriteArrayList<>();
  private volatile boolean closed;

  /// A listener that must hear.
  private record Required(Delivery delivery, BusListener listener) {}

  /// Creates a bus without listeners.
  public EventBus() {}

  /// Publishes an event to all listeners whose filters accept it.
  ///
  /// @throws ListenerFailed if a required listener threw
  /// @throws RedactionFailed if the redaction of a required listener threw
  /// @throws dev.superstep.event.BacklogFull if the backlog of a listener is full and set to fail;
  ///   in all three cases, the other listeners have received the event
  public void publish(BusEvent event) {
    if (closed) return;
    @Nullable RuntimeException first = null;
    for (var each : required) first = later(first, () -> deliver(each, event));
    for (var reader : readers) first = later(first, () -> reader.put(event));
    if (first != null) throw first;
  }

  /// Tells an event of a run; for [dev.superstep.graph.RunOptions#listener].
  public void publish(Event event) {
    publish(BusEvent.of(event));
  }

  /// A queue from which its owner reads. At a closed bus it is at its end.
  public BusReader subscribe(Delivery delivery) {
    var reader = new BusReader(this, delivery);
    readers.add(reader);
    // A close that has begun may not have found it.
    if (closed) reader.close();
    return reader;
  }

  /// Gives a listener its events, one at a time and in order: on a thread of its own, or where they
  /// are published if it is [Delivery#required].
  ///
  /// @return closes the delivery
  public AutoCloseable deliver(Delivery delivery, BusListener listener) {
    if (delivery.isRequired()) {
      var added = new Required(delivery, listener);
      required.add(added);
      if (closed) required.remove(added);
      return () -> required.remove(added);
    }
    var reader = subscribe(delivery);
    Thread.ofVirtual().name("superstep-bus").start(() -> deliver(reader, listener));
    return reader;
  }

  /// Ends the event stream. Readers can still read their unread events.
  @Override
  public void close() {
    closed = true;
    required.clear();
    readers.forEach(BusReader::end);
    readers.clear();
  }

  void remove(BusReader reader) {
    readers.remove(reader);
  }

  private static void deliver(Required each, BusEvent event) {
    try {
      var formed = each.delivery.formed(event);
      if (formed.isPresent()) each.listener.on(formed.get());
    } catch (RedactionFailed e) {
      throw e;
    } catch (Exception e) {
      if (e instanceof InterruptedException) Thread.currentThread().interrupt();
      throw new ListenerFailed(event.name(), e);
    }
  }

  private static @Nullable RuntimeException later(
      @Nullable RuntimeException first, Runnable telling) {
    try {
      telling.run();
      return first;
    } catch (RuntimeException e) {
      if (first == null) return e;
      first.addSuppressed(e);
      return first;
    }
  }

  private static void deliver(BusReader reader, BusListener listener) {
    try (reader) {
      for (var event = reader.next(); event.isPresent(); event = reader.next()) {
        listener.on(event.get());
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    } catch (Exception e) {
      System.getLogger(EventBus.class.getName())
          .log(System.Logger.Level.WARNING, "A listener of an event bus threw and was removed.", e);
    }
  }

  @Override
  public String toString() {
    return "EventBus[" + readers.size() + " readers]";
  }
}
