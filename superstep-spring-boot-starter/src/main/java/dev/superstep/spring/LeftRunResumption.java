package dev.superstep.spring;

import dev.superstep.checkpoint.ThreadBusy;
import dev.superstep.error.RunRefused;
import dev.superstep.spring.SuperstepProperties.ResumeSettings;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/// Resumes the runs that killed processes left: when the application starts, and again from time to
/// time, since the lease of a process on another machine lasts for a while after it died. Several
/// instances may do so at once: a thread has one lease.
final class LeftRunResumption implements SmartLifecycle {
  private static final Logger LOG = LoggerFactory.getLogger(LeftRunResumption.class);

  private final Runs runs;
  private final ResumeSettings settings;
  private volatile @Nullable Thread thread;

  LeftRunResumption(Runs runs, ResumeSettings settings) {
    this.runs = runs;
    this.settings = settings;
  }

  @Override
  public void start() {
    thread = Thread.ofVirtual().name("superstep-resume").start(this::resumeUntilStopped);
  }

  @Override
  public void stop() {
    var working = thread;
    if (working != null) working.interrupt();
    thread = null;
  }

  @Override
  public boolean isRunning() {
    return thread != null;
  }

  private void resumeUntilStopped() {
    try {
      while (!Thread.currentThread().isInterrupted()) {
        resumeAll();
        Thread.sleep(settings.every());
      }
    } catch (InterruptedException _) {
      // The application is stopping.
    }
  }

  private void resumeAll() {
    try {
      for (var left : runs.left(settings.threads())) resume(left);
    } catch (RuntimeException e) {
      LOG.warn("Runs that were left could not be looked for; it is tried again.", e);
    }
  }

  private void resume(LeftRun left) {
    try {
      var run = runs.resume(left.thread());
      LOG.info("Resumed the thread {} of {} as run {}.", left.thread(), left.graph(), run.run());
    } catch (ThreadBusy | RunRefused _) {
      // Somebody else was quicker, or the application is stopping.
    } catch (RuntimeException e) {
      LOG.warn("The thread {} of {} could not be resumed.", left.thread(), left.graph(), e);
    }
  }

  @Override
  public String toString() {
    return "LeftRunResumption[" + settings + "]";
  }
}
