package dev.superstep.graph;

import dev.superstep.graph.internal.kernel.ActiveRuns;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// Ends any number of runs where they can be resumed, as before a process ends. Given to runs by
/// [RunOptions#drain]; those without one listen to that [of the process][#ofProcess].
///
/// Once it is started, no saved run begins another superstep, at any depth: running tasks finish
/// and are saved, also in subgraphs and agents, and the run ends as
/// [stopped][dev.superstep.run.Outcome.Stopped] with the reason
/// [dev.superstep.run.Outcome.Reason#DRAINED]. A resumed run continues as if nothing had happened.
///
/// A run that is not saved cannot be resumed, so it runs to its end: a run without a thread, and a
/// subgraph that is [not saved][Subgraph#withoutCheckpoints]. So does a run that a node begins by
/// itself. Any other run that would begin is [refused][dev.superstep.error.RunRefused]. Safe for
/// many threads.
///
/// ```java
/// Drain.ofProcess().start();
/// var late = Drain.ofProcess().await(Duration.ofSeconds(20));
/// ```
public final class Drain {
  private static final Drain PROCESS = new Drain(ActiveRuns.ofProcess());

  private final ActiveRuns runs;

  /// A run that is at work.
  ///
  /// @param graph the name of its graph
  /// @param thread its thread, if it has one
  public record ActiveRun(String graph, String run, Optional<String> thread) {}

  /// A drain of its own, for the runs that are given it.
  public Drain() {
    this(new ActiveRuns());
  }

  private Drain(ActiveRuns runs) {
    this.runs = runs;
  }

  /// The drain of all runs of this process that have no other, except for runs that nodes begin.
  public static Drain ofProcess() {
    return PROCESS;
  }

  /// Ends the runs where they can be resumed, and refuses new ones. Does not wait for them.
  public void start() {
    runs.drain();
  }

  /// Lets runs begin again. Those that have ended by now do not continue by themselves.
  public void stop() {
    runs.stopDraining();
  }

  /// Returns whether the drain was started, and not stopped since.
  public boolean isStarted() {
    return runs.isDraining();
  }

  /// The runs at work, in the order of their ids.
  public List<ActiveRun> running() {
    return runs.all().stream()
        .map(run -> new ActiveRun(run.graph(), run.run(), run.thread()))
        .sorted(Comparator.comparing(ActiveRun::run))
        .toList();
  }

  /// Waits until no run is at work, after [#start].
  ///
  /// @return the runs that are still at work when the time is over; empty if all have ended
  /// @throws IllegalStateException if the drain is not started
  /// @throws InterruptedException if the calling thread is interrupted; the drain continues
  public List<ActiveRun> await(Duration most) throws InterruptedException {
    if (!isStarted())
      throw new IllegalStateException("the drain must be started before it is awaited");
    runs.await(most);
    return running();
  }

  ActiveRuns runs() {
    return runs;
  }

  @Override
  public String toString() {
    return "Drain["
        + (isStarted() ? "started" : "not started")
        + ", "
        + running().size()
        + " running]";
  }
}
