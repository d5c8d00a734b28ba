package dev.superstep.server.internal.run;

import dev.superstep.checkpoint.StoreFailed;
import dev.superstep.server.internal.documents.Claim;
import dev.superstep.server.internal.documents.RunDocuments;
import dev.superstep.server.internal.queue.RunQueue;
import dev.superstep.server.internal.queue.RunSettings;
import dev.superstep.service.Document;
import dev.superstep.service.ServiceStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadFactory;
import java.util.function.Function;

/// The workers of this process: claims runs that wait, runs each on a thread of its own, renews
/// their leases and passes cancellations on. Safe for many threads.
final class RunWorkers implements AutoCloseable {
  private static final Duration LOOK = Duration.ofSeconds(1);
  private static final Duration PAUSE_AFTER_FAILURE = Duration.ofMillis(500);
  private static final int RENEWALS = 4;
  private static final int TIME_CHECKS = 10;

  private final ServiceStore documents;
  private final RunQueue queue;
  private final RunSettings settings;
  private final Function<Document, RunExecution> maker;
  private final ActiveLogs logs;
  private final Semaphore slots;
  private final ConcurrentHashMap<Claim, RunExecution> active = new ConcurrentHashMap<>();
  private final ThreadFactory threads = Thread.ofVirtual().name("superstep-run-", 0).factory();
  private final List<Thread> background = new ArrayList<>();
  // Whether runs may wait that were not claimed for want of room.
  private volatile boolean isFull;
  private volatile boolean isDraining;
  private volatile boolean isClosed;

  /// @param maker makes the work of a run that was claimed
  RunWorkers(
      ServiceStore documents,
      RunQueue queue,
      RunSettings settings,
      ActiveLogs logs,
      Function<Document, RunExecution> maker) {
    this.documents = documents;
    this.queue = queue;
    this.settings = settings;
    this.logs = logs;
    this.maker = maker;
    this.slots = new Semaphore(settings.concurrency());
  }

  /// Begins to claim runs.
  void start() {
    background("superstep-claims", this::claimAll);
    background("superstep-leases", this::renewAll);
    background("superstep-cancels", this::cancelAll);
    background("superstep-limits", this::checkTimes);
  }

  private void background(String name, Loop loop) {
    background.add(
        Thread.ofVirtual()
            .name(name)
            .start(() -> {
              while (!isClosed) {
                try {
                  loop.run();
                } catch (InterruptedException _) {
                  return;
                } catch (RuntimeException e) {
                  if (isClosed) return;
                  ServerLog.background("The work of " + name + " failed and is tried again.", e);
                  if (!paused()) return;
                }
              }
            }));
  }

  private static boolean paused() {
    try {
      Thread.sleep(PAUSE_AFTER_FAILURE);
      return true;
    } catch (InterruptedException _) {
      return false;
    }
  }

  /// Work that is begun again when it fails.
  @FunctionalInterface
  private interface Loop {
    void run() throws InterruptedException;
  }

  // --- Runs ---

  /// Takes room for a run, if there is some.
  boolean takeSlot() {
    return !isDraining && slots.tryAcquire();
  }

  /// Gives room back that no run took.
  void freeSlot() {
    slots.release();
  }

  /// Runs what this worker holds. Its room is taken already.
  private void begin(Document run) {
    RunExecution execution;
    try {
      execution = maker.apply(run);
    } catch (RuntimeException e) {
      slots.release();
      throw e;
    }
    active.put(execution.claim(), execution);
    logs.add(run.id(), execution.log());
    threads.newThread(() -> save(execution)).start();
    threads.newThread(() -> work(execution)).start();
  }

  private void save(RunExecution execution) {
    try {
      execution.log().saveAll();
    } catch (InterruptedException _) {
      // Nobody does that; the run ends all the same.
    } catch (RuntimeException e) {
      ServerLog.background("Events of run " + execution.claim().run() + " are not saved.", e);
      execution.log().abandon();
      execution.lose();
    }
  }

  private void work(RunExecution execution) {
    try {
      execution.run();
    } catch (InterruptedException _) {
      execution.log().abandon();
    } catch (RuntimeException | Error e) {
      // Its lease ends, and somebody takes it over.
      ServerLog.background("Run " + execution.claim().run() + " was left.", e);
      execution.log().abandon();
    } finally {
      active.remove(execution.claim());
      logs.remove(execution.claim().run(), execution.log());
      slots.release();
      if (isFull) lookAgain();
    }
  }

  // --- In the background ---

  private void claimAll() throws InterruptedException {
    try (var watch = documents.watch(RunDocuments.WAITING)) {
      while (!isClosed) {
        isFull = true;
        int room = isDraining ? 0 : slots.drainPermits();
        var claimed = List.<Document>of();
        try {
          if (room > 0) claimed = queue.claim(room, run -> logs.find(run).isPresent());
        } finally {
          slots.release(room - claimed.size());
        }
        isFull = claimed.size() == room;
        for (var run : claimed) beginClaimed(run);
        if (claimed.isEmpty()) {
          var _ = watch.await(LOOK);
        }
      }
    }
  }

  /// Wakes who claims runs. What fails here is done again by the clock.
  private void lookAgain() {
    if (isDraining) return;
    try {
      documents.write(in -> {
        in.signal(RunDocuments.WAITING);
        return true;
      });
    } catch (StoreFailed e) {
      ServerLog.background("Runs that wait are found later.", e);
    }
  }

  /// Runs what this worker holds; if that is not possible now, it is tried again when the lease is
  /// over.
  void beginClaimed(Document run) {
    try {
      begin(run);
    } catch (RuntimeException e) {
      ServerLog.background("Run " + run.id() + " cannot be begun.", e);
    }
  }

  private void renewAll() throws InterruptedException {
    while (!isClosed) {
      Thread.sleep(settings.lease().dividedBy(RENEWALS));
      var claims = List.copyOf(active.keySet());
      if (claims.isEmpty()) continue;
      for (var lost : queue.renew(claims)) {
        Optional.ofNullable(active.get(lost)).ifPresent(RunExecution::lose);
      }
    }
  }

  /// Not a deadline of the engine, for which each run would need a platform thread.
  private void checkTimes() throws InterruptedException {
    while (!isClosed) {
      var longest = settings.longest();
      var pause = longest.dividedBy(TIME_CHECKS);
      Thread.sleep(pause.compareTo(LOOK) < 0 ? pause : LOOK);
      for (var execution : active.values()) execution.checkTime(longest);
    }
  }

  private void cancelAll() throws InterruptedException {
    try (var watch = documents.watch(RunDocuments.CANCELLED)) {
      while (!isClosed) {
        var _ = watch.await(LOOK);
        var claims = List.copyOf(active.keySet());
        if (claims.isEmpty()) continue;
        for (var cancelled : queue.cancelled(claims)) {
          Optional.ofNullable(active.get(cancelled.claim()))
              .ifPresent(run -> run.cancel(cancelled.action()));
        }
      }
    }
  }

  /// Takes no more runs.
  void drain() {
    isDraining = true;
  }

  int atWork() {
    return active.size();
  }

  /// Waits until no run is at work.
  ///
  /// @return false if the time was over first
  boolean awaitIdle(Duration most) throws InterruptedException {
    return slots.tryAcquire(
        settings.concurrency(), most.toMillis(), java.util.concurrent.TimeUnit.MILLISECONDS);
  }

  @Override
  public void close() {
    isClosed = true;
    isDraining = true;
    for (var thread : background) thread.interrupt();
  }
}
