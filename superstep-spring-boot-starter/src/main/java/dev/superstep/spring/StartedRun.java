package dev.superstep.spring;

import dev.superstep.graph.RunStream;
import dev.superstep.run.Outcome;

/// A run at work, which goes on whether or not anybody reads it. Safe for many threads.
public final class StartedRun {
  private final String thread;
  private final RunStream stream;
  private final RunFeed feed;

  StartedRun(String thread, RunStream stream, RunFeed feed) {
    this.thread = thread;
    this.stream = stream;
    this.feed = feed;
  }

  /// The thread on which it runs.
  public String thread() {
    return thread;
  }

  /// The id of the run.
  public String run() {
    return feed.run();
  }

  /// Waits for its end.
  ///
  /// @throws dev.superstep.json.SuperstepException if the run failed
  /// @throws InterruptedException if the calling thread is interrupted; the run continues
  public Outcome outcome() throws InterruptedException {
    return stream.outcome();
  }

  /// Stops the run; what is finished is saved.
  public void cancel() {
    stream.cancel();
  }

  RunFeed feed() {
    return feed;
  }

  @Override
  public String toString() {
    return "StartedRun[" + thread + ", " + feed.run() + "]";
  }
}
