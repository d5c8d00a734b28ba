package dev.superstep.event;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// Hears how nodes do, without the rest of a run's events. [#on] makes a listener of it, which
/// hears on the run's own threads, so an observer must be quick.
///
/// Nodes of a subgraph are named by their path, such as `research/search`.
public interface NodeObserver {
  /// A task of the node began.
  default void start(String name, int step) {}

  /// It ended, and what it wrote is saved.
  default void complete(String name, int step, Duration took) {}

  /// It threw and is not tried again in this run, whatever its policy makes of that.
  default void error(String name, int step, String message) {}

  /// It threw and is tried again.
  ///
  /// @param attempt the attempt that is about to begin; 2 is the first such
  /// @param most how many attempts its policy allows
  default void retry(String name, int step, int attempt, int most) {}

  /// Returns a listener that calls the observer. It may serve several runs at once.
  static EventListener on(NodeObserver observer) {
    // A failure that the policy handled is followed by the end of its task, which is no success.
    Set<String> handled = ConcurrentHashMap.newKeySet();
    return event -> {
      if (!(event instanceof Event.OfNode of)) return;
      int step = event.origin().step();
      switch (of) {
        case Event.NodeStarted e -> observer.start(name(e), step);
        case Event.NodeRetried e -> observer.retry(name(e), step, e.attempt(), e.most());
        case Event.NodeFailed e -> {
          if (e.then() != Event.NodeFailed.Then.ABORT) handled.add(key(e));
          observer.error(name(e), step, e.error());
        }
        case Event.NodeFinished e -> {
          if (!handled.remove(key(e))) observer.complete(name(e), step, e.took());
        }
        case Event.NodeEmitted _,
            Event.TextArrived _,
            Event.PieceArrived _,
            Event.InterruptRaised _,
            Event.ContextForked _,
            Event.ContextJoined _,
            Event.NodeUpdated _,
            Event.TaskStarted _,
            Event.TaskRestored _,
            Event.TaskEnded _ -> {}
      }
    };
  }

  private static String name(Event.OfNode event) {
    var path = event.origin().path();
    return path.isEmpty() ? event.node() : String.join("/", path) + "/" + event.node();
  }

  private static String key(Event.OfNode event) {
    return event.origin().run() + " " + event.origin().path() + " " + event.task();
  }
}
