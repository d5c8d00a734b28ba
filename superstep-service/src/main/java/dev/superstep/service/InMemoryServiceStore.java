package dev.superstep.service;

import java.time.InstantSource;

/// Keeps documents and logs until the process ends. For tests, and for services that may forget.
/// Safe for many threads.
public final class InMemoryServiceStore implements ServiceStore {
  private final InstantSource clock;
  private final MemoryTables tables = new MemoryTables();
  private final WatchedTopics topics = new WatchedTopics();

  private InMemoryServiceStore(InstantSource clock) {
    this.clock = clock;
  }

  /// An empty store.
  public static InMemoryServiceStore open() {
    return open(InstantSource.system());
  }

  /// An empty store with a clock of one's own.
  public static InMemoryServiceStore open(InstantSource clock) {
    return new InMemoryServiceStore(clock);
  }

  @Override
  public <R> R write(Work<R> work) {
    var transaction = new MemoryTransaction(tables, clock, false);
    R result;
    synchronized (tables) {
      result = transaction.run(work);
    }
    transaction.signalled().forEach(topics::signal);
    return result;
  }

  @Override
  public <R> R read(Work<R> work) {
    synchronized (tables) {
      return new MemoryTransaction(tables, clock, true).run(work);
    }
  }

  @Override
  public Watch watch(String topic) {
    return topics.watch(topic);
  }

  @Override
  public void close() {
    topics.close();
  }

  @Override
  public String toString() {
    return "InMemoryServiceStore";
  }
}
