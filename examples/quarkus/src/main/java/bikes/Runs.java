package bikes;

import dev.superstep.agent.Agent;
import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.Entry;
import dev.superstep.checkpoint.EntryFilter;
import dev.superstep.checkpoint.ThreadBusy;
import dev.superstep.checkpoint.ThreadQuery;
import dev.superstep.error.RunRefused;
import dev.superstep.event.Event;
import dev.superstep.event.Redaction;
import dev.superstep.graph.Drain;
import dev.superstep.graph.RunOptions;
import dev.superstep.graph.Threads;
import dev.superstep.journal.ThreadJournal;
import dev.superstep.run.Answers;
import dev.superstep.run.Outcome;
import io.quarkus.runtime.ShutdownDelayInitiatedEvent;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/// The runs of the application: with what options they run, how they end where they can be resumed
/// when it stops, and how those that it left go on when it starts.
@Singleton
class Runs {
  private static final Logger LOG = Logger.getLogger(Runs.class);
  private static final int THREADS = 1000;
  private static final EntryFilter ENDS =
      EntryFilter.all()
          .kinds("run.started", "run.completed", "run.interrupted", "run.stopped", "run.failed");

  private final Agent<String> desk;
  private final Checkpointer store;
  private final Drain drain;
  private final Duration most;

  @Inject
  Runs(
      Agent<String> desk,
      Checkpointer store,
      Drain drain,
      @ConfigProperty(name = "bikes.drain") Duration most) {
    this.desk = desk;
    this.store = store;
    this.drain = drain;
    this.most = most;
  }

  RunOptions options(String thread) {
    return RunOptions.thread(thread)
        .checkpoints(store)
        .drain(drain)
        .listener(Runs::log)
        .journal(Redaction.payloads());
  }

  private static void log(Event event) {
    if (event instanceof Event.RunFailed failed) {
      LOG.warnf("Run %s failed with %s.", failed.origin().run(), failed.code());
    }
  }

  // --- At the start ---

  void resume(@Observes StartupEvent event) {
    for (var left : left()) {
      Thread.ofVirtual().name("resume").start(() -> resume(left));
    }
  }

  /// The threads whose last run was killed or drained. Those that failed, wait for a person or were
  /// cancelled must not go on by themselves.
  private List<String> left() {
    return Threads.in(store).list(ThreadQuery.newest(THREADS).of(desk.name())).stream()
        .filter(summary -> !summary.checkpoint().progress().next().isEmpty())
        .map(summary -> summary.thread())
        .filter(this::isLeft)
        .toList();
  }

  private boolean isLeft(String thread) {
    @Nullable Entry last = null;
    for (var entry : ThreadJournal.of(store, thread).only(ENDS)) {
      if (entry.path().isEmpty()) last = entry;
    }
    if (last == null) return false;
    return switch (ThreadJournal.event(last)) {
      case Event.RunStarted _ -> true;
      case Event.RunStopped(_, var reason) -> reason.equals(Outcome.Reason.DRAINED.name());
      case Event _ -> false;
    };
  }

  private void resume(String thread) {
    try {
      var _ = desk.resume(Answers.none(), options(thread));
      LOG.infof("Resumed the thread %s.", thread);
    } catch (ThreadBusy | RunRefused _) {
      // Somebody else is at work on it, or the application is stopping.
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      LOG.warnf(e, "The thread %s could not be resumed.", thread);
    }
  }

  // --- At the end ---

  /// Begins before the server waits for its requests, so that streams end with their runs.
  void drain(@Observes ShutdownDelayInitiatedEvent event) {
    drain.start();
  }

  /// Comes before the store is closed. Without a delay, the drain begins here.
  void end(@Observes ShutdownEvent event) throws InterruptedException {
    drain.start();
    var late = drain.await(most);
    if (!late.isEmpty()) {
      LOG.warnf("Not ended within %s, and resumed at the next start: %s.", most, late);
    }
  }
}
