package dev.superstep.server.internal.retention;

import dev.superstep.checkpoint.Prune;
import dev.superstep.checkpoint.StoreFailed;
import dev.superstep.checkpoint.ThreadBusy;
import dev.superstep.graph.Threads;
import dev.superstep.server.internal.api.RunRemoval;
import dev.superstep.server.internal.api.Subscribers;
import dev.superstep.server.internal.documents.RunDocuments;
import dev.superstep.server.internal.documents.RunStatus;
import dev.superstep.server.internal.documents.ThreadDocuments;
import dev.superstep.server.internal.queue.ThreadEvents;
import dev.superstep.server.internal.webhook.Webhooks;
import dev.superstep.service.Document;
import dev.superstep.service.DocumentKind;
import dev.superstep.service.DocumentQuery;
import dev.superstep.service.DocumentQuery.Order;
import dev.superstep.service.ServiceStore;
import dev.superstep.service.ServiceTransaction;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Deletes what a service need not keep: threads that were made for one run, threads whose time to
/// live is over, streams of runs that ended a while ago, and old deliveries. A process that takes
/// something has a lease on it, so that each is cleaned up by one process, and by another one if
/// that dies. Safe for many threads.
public final class Cleaning implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger("dev.superstep.server");
  private static final Duration PAUSE = Duration.ofSeconds(30);
  private static final Duration LEASE = Duration.ofMinutes(5);
  private static final int AT_ONCE = 50;
  private static final String LOCK = "cleaning";
  private static final DocumentQuery RUNS =
      DocumentQuery.of(DocumentKind.RUN)
          .in(RunStatus.SUCCESS, RunStatus.ERROR, RunStatus.TIMEOUT, RunStatus.INTERRUPTED);
  private static final DocumentQuery THREADS =
      DocumentQuery.of(DocumentKind.THREAD)
          .in(RunStatus.IDLE, RunStatus.INTERRUPTED, RunStatus.ERROR, RunStatus.BUSY);

  private final ServiceStore store;
  private final Function<Document, Threads> threads;
  private final Duration keptEvents;
  private final Thread thread;

  /// Not yet at work.
  ///
  /// @param threads the operations that reach all that a thread has saved
  /// @param keptEvents how long the stream of a run can be read after its end
  public Cleaning(ServiceStore store, Function<Document, Threads> threads, Duration keptEvents) {
    this.store = store;
    this.threads = threads;
    this.keptEvents = keptEvents;
    thread = Thread.ofVirtual().name("superstep-cleaning").unstarted(this::serve);
  }

  /// Begins to look for what is to be deleted.
  public void start() {
    thread.start();
  }

  private void serve() {
    try (var watch = store.watch(RunDocuments.CLEANED)) {
      while (!Thread.interrupted()) {
        cleanSafely();
        var _ = watch.await(PAUSE);
      }
    } catch (InterruptedException _) {
      // It was closed.
    }
  }

  private void cleanSafely() {
    try {
      cleanDue();
    } catch (StoreFailed e) {
      LOG.warn("The store does not answer; nothing is cleaned up", e);
    } catch (RuntimeException e) {
      LOG.error("The cleaning failed, and is tried again", e);
    }
  }

  /// Deletes all that is due.
  ///
  /// @return how much it looked at
  public int cleanDue() {
    int cleaned = 0;
    for (var some = claim(RUNS); !some.isEmpty(); some = claim(RUNS)) {
      some.forEach(this::cleanRun);
      cleaned += some.size();
    }
    for (var some = claim(THREADS); !some.isEmpty(); some = claim(THREADS)) {
      some.forEach(this::cleanThread);
      cleaned += some.size();
    }
    for (int gone = forget(); gone > 0; gone = forget()) cleaned += gone;
    return cleaned;
  }

  private List<Document> claim(DocumentQuery query) {
    return store.write(in -> {
      in.lock(LOCK);
      var due = in.search(query.dueBy(in.now()).by(Order.DUE, false).limit(AT_ONCE));
      for (var document : due) in.replace(document.dueAt(in.now().plus(LEASE)));
      return due;
    });
  }

  private int forget() {
    return store.write(in -> {
      in.lock(LOCK);
      var old = in.search(Webhooks.ended().dueBy(in.now()).limit(AT_ONCE));
      for (var delivery : old) in.delete(DocumentKind.DELIVERY, delivery.id());
      return old.size();
    });
  }

  // --- Runs ---

  private void cleanRun(Document run) {
    boolean isGone = !RunDocuments.dropsThread(run) || isErased(run.parent());
    // Somebody is still at work on the thread; the lease says when to look again.
    if (!isGone) return;
    store.write(in -> {
      var now = in.find(DocumentKind.RUN, run.id());
      // It may have been deleted meanwhile.
      return now.isPresent() && cleanedStream(in, now.get(), run.updated());
    });
  }

  private boolean cleanedStream(ServiceTransaction in, Document run, Instant ended) {
    var end = ended.plus(keptEvents);
    if (end.isAfter(in.now())) return in.replace(run.dueAt(end));
    in.deleteLog(RunDocuments.log(run.id()));
    ThreadEvents.forget(in, run);
    return RunDocuments.dropsThread(run)
        ? in.delete(DocumentKind.RUN, run.id())
        : in.replace(run.neverDue());
  }

  // --- Threads ---

  private void cleanThread(Document known) {
    var ttl = ThreadDocuments.body(known).path("ttl");
    var end = end(known, ttl.path("ttl").asDouble(0));
    var later = store.<Boolean>read(in -> end.isAfter(in.now()) || isBusy(in, known.id()));
    if (later) {
      // It was used since, so its time has begun again.
      reschedule(known, end);
    } else if (ttl.path("strategy").asString("delete").equals("keep_latest")) {
      if (isPruned(known)) reschedule(known, Instant.MIN);
    } else if (isErasedNow(known)) {
      store.write(in -> {
        in.lock(ThreadDocuments.topic(known.id()));
        RunRemoval.all(in, known.id());
        return in.delete(DocumentKind.THREAD, known.id());
      });
    }
  }

  /// The end of a thread's time to live, which begins with its last use.
  private static Instant end(Document thread, double minutes) {
    return thread.updated().plusMillis(Math.round(minutes * 60_000));
  }

  private static boolean isBusy(ServiceTransaction in, String thread) {
    return !ThreadDocuments.active(in, thread).isEmpty();
  }

  /// @param end when it is looked at again; a time long ago for never
  private void reschedule(Document known, Instant end) {
    store.write(in -> {
      var now = in.find(DocumentKind.THREAD, known.id());
      if (now.isEmpty()) return false;
      if (end.equals(Instant.MIN)) return in.replace(now.get().neverDue());
      var soonest = in.now().plus(PAUSE);
      return in.replace(now.get().dueAt(end.isAfter(soonest) ? end : soonest));
    });
  }

  private boolean isPruned(Document thread) {
    try {
      threads.apply(thread).prune(thread.id(), Prune.keepLast(1));
      return true;
    } catch (ThreadBusy _) {
      return false;
    }
  }

  /// Deletes all that a thread has saved, and its document.
  ///
  /// @return false if somebody is at work on it
  private boolean isErased(String id) {
    var known = store.<Optional<Document>>read(in -> in.find(DocumentKind.THREAD, id));
    if (known.isEmpty()) return true;
    if (store.<Boolean>read(in -> isBusy(in, id)) || !isErasedNow(known.get())) return false;
    return store.write(in -> {
      in.lock(ThreadDocuments.topic(id));
      ThreadEvents.delete(in, id);
      Subscribers.delete(in, id);
      in.delete(DocumentKind.THREAD, id);
      return true;
    });
  }

  /// Deletes the states of a thread first: if this process dies in between, its document says what
  /// is still to be done.
  private boolean isErasedNow(Document thread) {
    try {
      threads.apply(thread).delete(thread.id());
      return true;
    } catch (ThreadBusy _) {
      return false;
    }
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
