package dev.superstep.event;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// Distributes the events of many runs to many readers, each of which chooses its events, such as
/// all of one thread over all its runs. Each reader has a queue of its own, so that a slow one
/// harms neither the runs nor the others, unless it asked that runs wait for it.
///
/// ```java
/// var hub = new EventHub();
/// graph.invoke(input, options.listener(hub));
/// for (var event : hub.subscribe(EventFilter.thread("t-42"))) show(event);
/// ```
///
/// Within one process, and only from when a reader subscribed. Safe for many threads.
public final class EventHub implements EventListener, AutoCloseable {
  private final Set<Subscription> subscriptions = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  /// A hub that nobody listens to.
  public EventHub() {}

  @Override
  public void on(Event event) {
    for (var subscription : subscriptions) subscription.put(event);
  }

  /// Returns whether the hub has a reader.
  @Override
  public boolean isListening() {
    return !subscriptions.isEmpty();
  }

  /// A reader of the events that a filter chooses, who loses the oldest when 1,024 are unread.
  public Subscription subscribe(EventFilter filter) {
    return subscribe(filter, Backlog.droppingOldest());
  }

  /// A reader of the events that a filter chooses. At a closed hub there are none.
  public Subscription subscribe(EventFilter filter, Backlog backlog) {
    var subscription = new Subscription(this, filter, backlog);
    subscriptions.add(subscription);
    // A close that has begun may not have found it.
    if (closed) subscription.close();
    return subscription;
  }

  /// Gives a listener the events that a filter chooses, one at a time and in order, on a thread of
  /// its own. It may be slow. If it throws, that is logged and its subscription is closed.
  public Subscription deliver(EventFilter filter, Backlog backlog, EventListener listener) {
    var subscription = subscribe(filter, backlog);
    Thread.ofVirtual().name("superstep-events").start(() -> deliver(subscription, listener));
    return subscription;
  }

  /// Ends the hub: no more events will come. Readers can still read the events that wait for them.
  @Override
  public void close() {
    closed = true;
    subscriptions.forEach(Subscription::end);
    subscriptions.clear();
  }

  void remove(Subscription subscription) {
    subscriptions.remove(subscription);
  }

  private static void deliver(Subscription subscription, EventListener listener) {
    try {
      for (var event : subscription) listener.on(event);
    } catch (RuntimeException | Error e) {
      subscription.close();
      EventLog.warn("A listener at an event hub threw and was removed.", e);
    }
  }

  @Override
  public String toString() {
    return "EventHub[" + subscriptions.size() + " subscriptions]";
  }
}
