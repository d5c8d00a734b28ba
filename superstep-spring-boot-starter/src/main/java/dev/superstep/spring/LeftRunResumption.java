package dev.superstep.spring;

import dev.superstep.checkpoint.ThreadBusy;
import dev.superstep.error.RunRefused;
import dev.superstep.spring.SuperstepProperties.ResumeSettings;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/// Resumes the runs that killed processes left: when the application starts, and again from time to
/// time, since the lease of a process on another machine lasts for a while after it died. Several
/// instances may do so at once: a thread has one lease. Runs for people wait for these: without
/// them, their tools would have no credentials.
final class LeftRunResumption implements SmartLifecycle {
  private static final Logger LOG = LoggerFactory.getLogger(LeftRunResumption.class);

  private final Runs runs;
  private final ResumeSettings settings;
  private volatile @Nullable Thread thread;
  // The runs of people that were told about. Used by that thread only.
  private Set<String> personal = Set.of();

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
      var waiting = new HashSet<String>();
      for (var left : runs.left(settings.threads())) {
        if (!left.personal()) resume(left);
        else if (waiting.add(left.run()) && !personal.contains(left.run())) tell(left);
      }
      personal = waiting;
    } catch (RuntimeException e) {
      LOG.warn("Runs that were left could not be looked for; it is tried again.", e);
    }
  }

  private static void tell(LeftRun left) {
    LOG.info(
        "The thread {} of {} was left by a run for a person. It goes on when they resume it.",
        left.thread(),
        left.graph());
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
