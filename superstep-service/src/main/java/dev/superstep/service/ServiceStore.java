package dev.superstep.service;

/// Stores the documents and event logs of a service, such as its assistants, runs and schedules, so
/// that several processes can serve them together. Safe for many threads.
///
/// Implementations must pass `ServiceStoreSuite` of the test kit. A method throws
/// [dev.superstep.checkpoint.StoreFailed] if the storage fails.
public interface ServiceStore extends AutoCloseable {
  /// Does work in one transaction: all of its writes are saved, or, if it throws, none. Work of
  /// other processes that locks the same names, or writes the same documents, happens before or
  /// after it, never in between. The work may be called again if the database asks for that, so it
  /// must have no other effects, and must not block.
  ///
  /// Watchers of the topics that it [signals][ServiceTransaction#signal] are woken after the
  /// commit.
  <R> R write(Work<R> work);

  /// Reads in one transaction, which sees one state of the store. A write inside it throws
  /// [IllegalStateException].
  <R> R read(Work<R> work);

  /// Watches a topic: signals from now on wake it, whichever process sends them.
  Watch watch(String topic);

  /// Ends the use of the storage; what was saved stays. Watches end.
  @Override
  void close();

  /// Work inside a transaction.
  ///
  /// @param <R> its result
  @FunctionalInterface
  interface Work<R> {
    /// Does the work. Exceptions undo its writes and reach the caller as they are.
    R apply(ServiceTransaction in);
  }

  /// Waits for the signals of a topic. For one thread.
  interface Watch extends AutoCloseable {
    /// Waits until the topic was signalled since the last call, or since the watch began. May also
    /// return early without a signal.
    ///
    /// @return false if the time was over first, or the store was closed
    boolean await(java.time.Duration most) throws InterruptedException;

    /// Ends the watch.
    @Override
    void close();
  }
}
