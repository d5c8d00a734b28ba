package dev.superstep.server.internal.run;

import dev.superstep.server.internal.documents.ThreadDocuments;
import dev.superstep.server.internal.http.Granted;
import dev.superstep.server.internal.queue.ThreadEvents;
import dev.superstep.service.DocumentKind;
import dev.superstep.service.LogEntry;
import dev.superstep.service.ServiceStore;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;

/// Reads the events of a thread in order, over all its runs and whichever process works on them,
/// and waits for what is still to come; also for a thread that is still to be made. For one thread;
/// others may read pages.
public final class ThreadEventReader implements AutoCloseable {

  // Where a signal is missed, as while a database restarts.
  private static final Duration LOOK = Duration.ofSeconds(2);

  private final ServiceStore documents;
  private final String thread;
  private final Granted granted;
  private final ServiceStore.Watch events;
  private final ServiceStore.Watch made;
  private OptionalLong after;
  private volatile boolean isFollowed;
  private final LogPage page = new LogPage();

  /// @param granted what its client may see
  /// @param after the place of the last event that the client has; empty to begin with the runs at
  ///   work
  public ThreadEventReader(
      ServiceStore documents, String thread, Granted granted, OptionalLong after) {
    this.documents = documents;
    this.thread = thread;
    this.granted = granted;
    this.after = after;
    this.events = documents.watch(ThreadEvents.log(thread));
    this.made = documents.watch(ThreadDocuments.topic(thread));
  }

  /// Begins to follow the thread, if it is there: what happens from now on is saved.
  ///
  /// @return the place after which it reads
  public long follow() {
    if (!isFollowed && isThere()) {
      documents.write(in -> {
        ThreadEvents.keep(in, thread);
        return true;
      });
      isFollowed = true;
    }
    if (after.isEmpty() && isFollowed) {
      after = OptionalLong.of(documents.read(in -> ThreadEvents.begin(in, thread)));
    }
    return after.orElse(0);
  }

  private boolean isThere() {
    return documents
        .read(in -> in.find(DocumentKind.THREAD, thread))
        .filter(known -> granted.sees(ThreadDocuments.metadata(known)))
        .isPresent();
  }

  /// Waits for the next events, at least one; none if the time was over first.
  public List<LogEntry> await(Duration most) throws InterruptedException {
    long end = System.nanoTime() + most.toNanos();
    while (true) {
      long from = follow();
      var page = isFollowed ? page(from) : List.<LogEntry>of();
      if (!page.isEmpty()) {
        after = OptionalLong.of(page.getLast().offset());
        return page;
      }
      long left = end - System.nanoTime();
      if (left <= 0) return List.of();
      var pause = Duration.ofNanos(Math.min(left, LOOK.toNanos()));
      var _ = isFollowed ? events.await(pause) : made.await(pause);
    }
  }

  /// Some of the events after a place, without waiting; none if the thread is not there yet.
  public List<LogEntry> page(long from) {
    if (!isFollowed) return List.of();
    return documents.read(
        in -> page.first(in.entries(ThreadEvents.log(thread), from, page.length())));
  }

  @Override
  public void close() {
    events.close();
    made.close();
  }
}
