package dev.superstep.detached;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.node.Ids;
import dev.superstep.schedule.Schedule;
import dev.superstep.schedule.Schedules;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Work that goes on by itself, under every order of its start, its end and who stops it.
@Timeout(120)
final class DetachedSchedulesTest {
  private static final Duration LONG = Duration.ofHours(2);

  /// Tasks that are interrupted at once when they are stopped, with points at the clock and ids.
  private static DetachedTasks<String> tasks(Schedule schedule) {
    var count = new AtomicInteger();
    Ids ids = () -> "task-" + count.incrementAndGet();
    var clock = InstantSource.fixed(Instant.parse("2026-05-01T10:00:00Z"));
    return DetachedTasks.open(
        10,
        Duration.ZERO,
        schedule.watched(InstantSource.class, clock),
        schedule.watched(Ids.class, ids));
  }

  /// Work that only an interruption ends.
  private static String endless() throws InterruptedException {
    new CountDownLatch(1).await();
    return "never";
  }

  @Test
  void the_end_of_work_races_its_cancel() {
    Schedules.explore(schedule -> {
      var alice = tasks(schedule).ownedBy("alice");
      var ids = new CompletableFuture<String>();
      var owner =
          schedule.actor(
              "owner",
              () -> {
                var id =
                    alice.start(
                        "search",
                        cancellation -> {
                          schedule.point("at work");
                          cancellation.check();
                          return "found";
                        });
                ids.complete(id);
                return alice.await(id, LONG);
              });
      var cancel = schedule.actor("cancel", () -> alice.cancel(ids.get()));
      schedule.run();
      var end = alice.info(ids.join()).state();
      assertThat(owner.value()).isEqualTo(end);
      if (cancel.value().hasEnded()) assertThat(cancel.value()).isEqualTo(end);
      if (end instanceof TaskState.Finished<String>(var result)) {
        assertThat(result).isEqualTo("found");
      } else {
        // It heeded the request, which is no failure of it.
        assertThat(end).isInstanceOf(TaskState.Cancelled.class);
      }
    });
  }

  @Test
  void the_begin_of_work_races_its_cancel() {
    Schedules.explore(schedule -> {
      var alice = tasks(schedule).ownedBy("alice");
      var ids = new CompletableFuture<String>();
      var owner =
          schedule.actor(
              "owner",
              () -> {
                ids.complete(alice.start("search", _ -> endless()));
                return alice.await(ids.join(), LONG);
              });
      schedule.actor("cancel", () -> alice.cancel(ids.get()));
      schedule.run();
      // Whether or not its thread had come to life, it was interrupted.
      assertThat(owner.value()).isInstanceOf(TaskState.Cancelled.class);
      assertThat(((TaskState.Cancelled<String>) owner.value()).interrupted()).isTrue();
      assertThat(alice.info(ids.join()).state()).isEqualTo(owner.value());
    });
  }

  @Test
  void a_start_races_the_close_of_the_registry() {
    Schedules.explore(schedule -> {
      var tasks = tasks(schedule);
      var alice = tasks.ownedBy("alice");
      var start = schedule.actor("start", () -> alice.start("search", _ -> endless()));
      schedule.actor(
          "close",
          () -> {
            schedule.point("open");
            tasks.close();
            return true;
          });
      schedule.run();
      if (start.thrown().isPresent()) {
        assertThat(start.thrown()).get().isInstanceOf(DetachedTasksClosed.class);
        assertThat(tasks.size()).isZero();
      } else {
        // What was started is not forgotten by the one who closes.
        var state = alice.info(start.value()).state();
        assertThat(state).isInstanceOf(TaskState.Cancelled.class);
      }
    });
  }

  @Test
  void waiting_for_any_of_two_tasks_races_the_ends_of_both() {
    Schedules.explore(schedule -> {
      var tasks = tasks(schedule);
      var alice = tasks.ownedBy("alice");
      var first =
          schedule.actor(
              "owner",
              () -> {
                var ids =
                    List.of(
                        alice.start("one", _ -> "one"),
                        alice.start(
                            "two",
                            _ -> {
                              schedule.point("at work");
                              return "two";
                            }));
                schedule.point("both are started");
                return alice.awaitAny(ids, LONG).orElseThrow();
              });
      schedule.run();
      assertThat(alice.info(first.value()).state()).isInstanceOf(TaskState.Finished.class);
      assertThat(alice.all()).allSatisfy(task -> assertThat(task.state().hasEnded()).isTrue());
    });
  }

  @Test
  void a_sweep_races_the_end_of_work_and_a_caller_that_awaits_it() {
    Schedules.explore(schedule -> {
      var tasks = tasks(schedule);
      var alice = tasks.ownedBy("alice");
      var hasEnded = new boolean[1];
      var owner =
          schedule.actor(
              "owner",
              () -> {
                var id =
                    alice.start(
                        "search",
                        _ -> {
                          schedule.point("at work");
                          hasEnded[0] = true;
                          return "found";
                        });
                try {
                  return alice.await(id, LONG).toString();
                } catch (UnknownDetachedTask _) {
                  return "swept";
                }
              });
      var sweep =
          schedule.actor(
              "sweep",
              () -> {
                schedule.point("not swept");
                int swept = tasks.sweep(Duration.ZERO);
                // What is at work stays.
                assertThat(swept == 0 || hasEnded[0]).isTrue();
                return swept;
              });
      schedule.run();
      // It is either still there or was swept once it had ended; nobody waits for ever.
      assertThat(tasks.size() + sweep.value()).isEqualTo(1);
      boolean isSwept = owner.value().equals("swept");
      if (isSwept) assertThat(sweep.value()).isEqualTo(1);
      else assertThat(owner.value()).contains("found");
    });
  }
}
