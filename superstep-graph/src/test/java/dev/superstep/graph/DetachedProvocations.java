package dev.superstep.graph;

import static dev.superstep.graph.Runs.countingIds;

import dev.superstep.detached.DetachedTasks;
import dev.superstep.graph.ErrorMessagesTest.Case;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;

/// The errors of detached tasks.
final class DetachedProvocations {
  private DetachedProvocations() {}

  static List<Case> all() {
    return List.of(
        with("a detached task of somebody else", t -> t.ownedBy("bob").info(search(t))),
        with("a detached task that there is not", t -> t.ownedBy("bob").info("id-9")),
        with(
            "more detached tasks than may be",
            tasks -> {
              search(tasks);
              search(tasks);
            }),
        with(
            "a detached task when it is too late",
            tasks -> {
              tasks.close();
              search(tasks);
            }));
  }

  private static Case with(String title, Consumer<DetachedTasks<String>> use) {
    var clock = InstantSource.fixed(Instant.EPOCH);
    return new Case(
        title,
        () -> {
          try (var tasks = DetachedTasks.<String>open(1, Duration.ZERO, clock, countingIds())) {
            use.accept(tasks);
          }
        });
  }

  private static String search(DetachedTasks<String> tasks) {
    return tasks
        .ownedBy("alice")
        .start(
            "search",
            _ -> {
              new CountDownLatch(1).await();
              return "never";
            });
  }
}
