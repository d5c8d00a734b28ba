package dev.superstep.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The scheduler of the races finds what it is made to find.
@Timeout(60)
final class SchedulesTest {
  @Test
  void every_interleaving_of_two_actors_with_two_points_is_run() {
    var orders = new HashSet<List<String>>();
    Schedules.explore(schedule -> {
      var order = new ArrayList<String>();
      for (var name : List.of("a", "b")) {
        schedule.actor(
            name,
            () -> {
              order.add(name + 1);
              schedule.point("between");
              return order.add(name + 2);
            });
      }
      schedule.run();
      orders.add(order);
    });
    assertThat(orders)
        .containsExactlyInAnyOrder(
            List.of("a1", "a2", "b1", "b2"),
            List.of("a1", "b1", "a2", "b2"),
            List.of("a1", "b1", "b2", "a2"),
            List.of("b1", "a1", "a2", "b2"),
            List.of("b1", "a1", "b2", "a2"),
            List.of("b1", "b2", "a1", "a2"));
  }

  @Test
  void a_lost_update_between_threads_that_an_actor_started_is_found() {
    assertThatThrownBy(() ->
            Schedules.explore(schedule -> {
              var count = new int[1];
              schedule.actor(
                  "owner",
                  () -> {
                    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
                      for (int i = 0; i < 2; i++) {
                        threads.submit(() -> {
                          int read = count[0];
                          schedule.point("read");
                          count[0] = read + 1;
                        });
                      }
                    }
                    return count[0];
                  });
              schedule.run();
              assertThat(count[0]).isEqualTo(2);
            }))
        .hasMessageContaining("read")
        .hasRootCauseInstanceOf(AssertionError.class);
  }

  @Test
  void a_deadlock_of_two_locks_is_found() {
    assertThatThrownBy(() ->
            Schedules.explore(schedule -> {
              var one = new ReentrantLock();
              var two = new ReentrantLock();
              for (var locks : List.of(List.of(one, two), List.of(two, one))) {
                schedule.actor(
                    "owner of " + (locks.getFirst() == one ? "one" : "two"),
                    () -> {
                      locks.getFirst().lock();
                      schedule.point("has one lock");
                      locks.getLast().lock();
                      locks.getLast().unlock();
                      locks.getFirst().unlock();
                      return true;
                    });
              }
              schedule.run();
            }))
        .rootCause()
        .hasMessageContaining("no thread can go on")
        .hasMessageContaining("owner of two waits");
  }
}
