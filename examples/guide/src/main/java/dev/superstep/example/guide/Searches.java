package dev.superstep.example.guide;

import dev.superstep.detached.Cancellation;
import dev.superstep.detached.DetachedTasks;
import dev.superstep.detached.NotTheOwner;
import dev.superstep.detached.TaskState;
import dev.superstep.detached.TaskState.Cancelled;
import dev.superstep.detached.TaskState.Failed;
import dev.superstep.detached.TaskState.Finished;
import dev.superstep.detached.TaskState.Running;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/// Searches that go on by themselves while their owner does something else.
public final class Searches {
  static final Duration SHELF = Duration.ofMillis(1);

  private Searches() {}

  public static void main(String[] args) throws InterruptedException {
    var shelfFound = new CountDownLatch(1);
    try (var tasks = DetachedTasks.<String>open(100, Duration.ofMinutes(1))) {
      var alice = tasks.ownedBy("alice");
      var quick =
          alice.start(
              "one shelf",
              _ -> {
                shelfFound.await();
                return "a book";
              });
      System.out.println(format(alice.await(quick, Duration.ofMillis(10))));
      shelfFound.countDown();
      System.out.println(format(alice.await(quick, Duration.ofMinutes(1))));

      var endless = alice.start("all libraries", Searches::everywhere);
      try {
        tasks.ownedBy("bob").cancel(endless);
      } catch (NotTheOwner e) {
        System.out.println("bob may not");
      }
      System.out.println(format(alice.cancel(endless)));
      System.out.println("forgotten: " + tasks.sweep(Duration.ZERO));
    }
  }

  private static String everywhere(Cancellation cancellation) throws InterruptedException {
    while (!cancellation.isRequested()) Thread.sleep(SHELF);
    return "nothing so far";
  }

  private static String format(TaskState<String> state) {
    return switch (state) {
      case Running<String> _ -> "still searching";
      case Finished<String>(var found) -> "found " + found;
      case Failed<String>(var error) -> "failed: " + error.getMessage();
      case Cancelled<String> _ -> "cancelled";
    };
  }
}
