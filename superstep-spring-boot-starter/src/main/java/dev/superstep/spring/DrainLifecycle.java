package dev.superstep.spring;

import dev.superstep.graph.Drain;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/// Ends the runs of an application where they can be resumed, before anything that they need is
/// closed, and before the web server waits for its requests: streams end with their runs.
final class DrainLifecycle implements SmartLifecycle {
  private static final Logger LOG = LoggerFactory.getLogger(DrainLifecycle.class);

  private final Drain drain;
  private final Duration timeout;
  private volatile boolean running;

  DrainLifecycle(Drain drain, Duration timeout) {
    this.drain = drain;
    this.timeout = timeout;
  }

  @Override
  public void start() {
    // A context may be started again.
    drain.stop();
    running = true;
  }

  @Override
  public void stop() {
    drain.start();
    try {
      var late = drain.await(timeout);
      if (!late.isEmpty()) {
        LOG.warn(
            "These runs did not end within {}; what they finished is saved, and they can be"
                + " resumed: {}.",
            timeout,
            late);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      running = false;
    }
  }

  @Override
  public boolean isRunning() {
    return running;
  }

  @Override
  public int getPhase() {
    return DEFAULT_PHASE;
  }

  @Override
  public String toString() {
    return "DrainLifecycle[" + drain + "]";
  }
}
