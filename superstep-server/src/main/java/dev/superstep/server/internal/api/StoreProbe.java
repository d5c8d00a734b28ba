package dev.superstep.server.internal.api;

import dev.superstep.service.ServiceStore;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Asks the store for a sign of life, and does not wait long for it: a pool of connections may try
/// for half a minute to reach a database that is gone. All who ask at once share one question. Safe
/// for many threads.
final class StoreProbe {
  private static final Logger LOG = LoggerFactory.getLogger("dev.superstep.server");
  private static final String NO_LOG = "health";
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  private final ServiceStore store;
  private final AtomicReference<@Nullable FutureTask<Boolean>> asked = new AtomicReference<>();

  StoreProbe(ServiceStore store) {
    this.store = store;
  }

  boolean answers() throws InterruptedException {
    var question = question();
    try {
      return question.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException _) {
      return false;
    } catch (ExecutionException failed) {
      LOG.warn("The store does not answer", failed.getCause());
      return false;
    }
  }

  private FutureTask<Boolean> question() {
    while (true) {
      var open = asked.get();
      if (open != null && !open.isDone()) return open;
      // A transaction that asks for nothing may not even reach the database.
      var mine = new FutureTask<Boolean>(() -> store.read(in -> in.lastOffset(NO_LOG) == 0));
      if (!asked.compareAndSet(open, mine)) continue;
      Thread.ofVirtual().name("superstep-probe").start(mine);
      return mine;
    }
  }
}
