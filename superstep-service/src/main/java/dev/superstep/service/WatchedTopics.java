package dev.superstep.service;

import dev.superstep.service.ServiceStore.Watch;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The watches of a store by their topics: for those who implement a [ServiceStore]. Safe for many
/// threads.
public final class WatchedTopics implements AutoCloseable {
  private final Map<String, Set<TopicWatch>> watches = new HashMap<>();
  private boolean isClosed;

  /// Without watches.
  public WatchedTopics() {}

  /// Begins a watch.
  public synchronized Watch watch(String topic) {
    var watch = new TopicWatch(topic);
    if (isClosed) watch.end();
    watches.computeIfAbsent(topic, _ -> new HashSet<>()).add(watch);
    notifyAll();
    return watch;
  }

  /// Wakes the watches of a topic.
  public synchronized void signal(String topic) {
    watches.getOrDefault(topic, Set.of()).forEach(TopicWatch::wake);
  }

  /// Wakes all watches, as when signals may have been lost.
  public void signalAll() {
    for (var watch : all()) watch.wake();
  }

  /// Waits until somebody watches.
  ///
  /// @return false if this was closed
  public synchronized boolean awaitWatched() throws InterruptedException {
    while (!isClosed && watches.isEmpty()) wait();
    return !isClosed;
  }

  /// Ends all watches, and those that are begun later.
  @Override
  public void close() {
    synchronized (this) {
      isClosed = true;
      notifyAll();
    }
    for (var watch : all()) watch.end();
  }

  private synchronized List<TopicWatch> all() {
    return watches.values().stream().flatMap(Set::stream).toList();
  }

  private synchronized void remove(TopicWatch watch) {
    watches.computeIfPresent(
        watch.topic,
        (_, others) -> {
          others.remove(watch);
          return others.isEmpty() ? null : others;
        });
  }

  @Override
  public synchronized String toString() {
    return "WatchedTopics" + watches.keySet();
  }

  private final class TopicWatch implements Watch {
    private final String topic;
    private boolean isSignalled;
    private boolean isOver;

    TopicWatch(String topic) {
      this.topic = topic;
    }

    @Override
    public synchronized boolean await(Duration most) throws InterruptedException {
      long end = System.nanoTime() + most.toNanos();
      while (!isSignalled && !isOver) {
        long left = end - System.nanoTime();
        if (left <= 0) return false;
        // At least a millisecond, since zero would be for ever.
        wait(Math.max(1, left / 1_000_000));
      }
      if (isOver) return false;
      isSignalled = false;
      return true;
    }

    synchronized void wake() {
      isSignalled = true;
      notifyAll();
    }

    synchronized void end() {
      isOver = true;
      notifyAll();
    }

    @Override
    public void close() {
      end();
      remove(this);
    }
  }
}
