package dev.superstep.server.internal.schedule;

import dev.superstep.checkpoint.StoreFailed;
import dev.superstep.server.internal.schedule.RunStarter.ScheduledRun;
import dev.superstep.server.internal.wire.Trees;
import dev.superstep.service.Document;
import dev.superstep.service.DocumentKind;
import dev.superstep.service.DocumentQuery;
import dev.superstep.service.DocumentQuery.Order;
import dev.superstep.service.ServiceStore;
import dev.superstep.service.ServiceTransaction;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/// Starts the runs of schedules when they are due. Each process has one; a firing and the next time
/// of its schedule are one transaction, so each happens once, by the clock of the store. After an
/// outage, a schedule fires once for all times that it has missed. Safe for many threads.
public final class Scheduler implements AutoCloseable {
  /// The topic that is signalled when schedules have changed.
  static final String TOPIC = "crons";

  private static final Logger LOG = LoggerFactory.getLogger("dev.superstep.server");
  private static final DocumentQuery EARLIEST =
      DocumentQuery.of(DocumentKind.CRON).in(Cron.ENABLED).by(Order.DUE, false).limit(1);
  private static final Duration PAUSE_MAX = Duration.ofMinutes(1);
  private static final Duration PAUSE_AFTER_FAILURE = Duration.ofSeconds(5);

  private final ServiceStore store;
  private final RunStarter starter;
  private final Thread thread;

  /// Not yet at work.
  public Scheduler(ServiceStore store, RunStarter starter) {
    this.store = store;
    this.starter = starter;
    thread = Thread.ofVirtual().name("superstep-scheduler").unstarted(this::serve);
  }

  /// Begins to look for what is due.
  public void start() {
    thread.start();
  }

  private void serve() {
    try (var watch = store.watch(TOPIC)) {
      while (!Thread.interrupted()) watch.await(fireDueAndPause());
    } catch (InterruptedException _) {
      // It was closed.
    }
  }

  private Duration fireDueAndPause() {
    try {
      fireDue();
      return pause();
    } catch (StoreFailed e) {
      LOG.warn("The store does not answer; schedules wait", e);
      return PAUSE_AFTER_FAILURE;
    } catch (RuntimeException e) {
      LOG.error("Schedules cannot be looked at; that is tried again", e);
      return PAUSE_AFTER_FAILURE;
    }
  }

  /// The time until the next one is due.
  private Duration pause() {
    return store.read(in -> {
      var due = in.search(EARLIEST).stream().flatMap(cron -> cron.due().stream()).findFirst();
      var pause = due.map(time -> Duration.between(in.now(), time)).orElse(PAUSE_MAX);
      if (pause.isNegative()) return Duration.ZERO;
      return pause.compareTo(PAUSE_MAX) > 0 ? PAUSE_MAX : pause;
    });
  }

  /// Starts all runs that are due.
  ///
  /// @return how many schedules have fired, also those whose run could not be started
  public int fireDue() {
    int fired = 0;
    while (fireNext()) fired++;
    return fired;
  }

  private boolean fireNext() {
    try {
      return store.write(in -> {
        var due = due(in);
        if (due.isEmpty()) return false;
        fire(in, due.get());
        return true;
      });
    } catch (Unstartable e) {
      LOG.warn("The schedule {} could not start its run", e.cron, e.getCause());
      store.write(in -> skip(in, e));
      return true;
    }
  }

  private static Optional<Document> due(ServiceTransaction in) {
    // Others would claim the same one, and have to try again.
    in.lock(TOPIC);
    return in.search(EARLIEST.dueBy(in.now())).stream().findFirst();
  }

  private void fire(ServiceTransaction in, Document document) {
    var cron = Cron.of(document);
    var request = cron.payload().deepCopy();
    request.put("assistant_id", document.label());
    var thread = Optional.of(document.parent()).filter(id -> !id.isEmpty());
    if (thread.isEmpty()) request.put("on_completion", cron.onRunCompleted());
    in.replace(cron.in(document, in.now()).updated(document.updated()));
    try {
      starter.start(
          in, new ScheduledRun(document.id(), thread, cron.user(), cron.visible(), request));
    } catch (StoreFailed e) {
      throw e;
    } catch (RuntimeException e) {
      throw new Unstartable(document.id(), in.now(), e);
    }
  }

  /// Passes over a time at which a run could not be started, as without its assistant, so that the
  /// others do not wait for it.
  private static boolean skip(ServiceTransaction in, Unstartable failure) {
    var document = in.find(DocumentKind.CRON, failure.cron);
    if (document.isEmpty() || isLater(document.get(), failure.now)) return false;
    var passed = Cron.of(document.get()).in(document.get(), in.now());
    var body = (ObjectNode) Trees.of(passed.body());
    body.put("last_error", String.valueOf(failure.cause().getMessage()));
    return in.replace(passed.updated(document.get().updated()).body(Trees.json(body, "cron")));
  }

  private static boolean isLater(Document document, Instant now) {
    return document.due().isEmpty() || document.due().get().isAfter(now);
  }

  @Override
  public void close() {
    thread.interrupt();
  }

  /// Undoes the transaction of a firing.
  private static final class Unstartable extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final String cron;
    private final transient Instant now;
    private final RuntimeException why;

    Unstartable(String cron, Instant now, RuntimeException cause) {
      super(cause);
      this.why = cause;
      this.cron = cron;
      this.now = now;
    }

    RuntimeException cause() {
      return why;
    }
  }
}
