package dev.superstep.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.schedule.Schedule;
import dev.superstep.schedule.Schedules;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The queue of a reader, under every order of who puts events in, who takes them and who ends it.
@Timeout(120)
final class EventSchedulesTest {
  /// A queue for one unread event at a time, with a point while its lock is held.
  private static BoundedQueue<Integer> queue(Schedule schedule, Backlog backlog) {
    return new BoundedQueue<>(
        _ -> {
          schedule.point("in the queue");
          return true;
        },
        backlog.withCapacity(1),
        (_, count) -> (int) -count);
  }

  private static List<Integer> read(BoundedQueue<Integer> queue) throws InterruptedException {
    var read = new ArrayList<Integer>();
    for (var event = queue.take(); event != null; event = queue.take()) read.add(event);
    return read;
  }

  @Test
  void a_reader_races_the_end_of_the_publisher() {
    Schedules.explore(schedule -> {
      var queue = queue(schedule, Backlog.blocking());
      schedule.actor(
          "publisher",
          () -> {
            for (int i = 1; i <= 3; i++) queue.put(i);
            schedule.point("published");
            queue.end();
            return true;
          });
      var reader = schedule.actor("reader", () -> read(queue));
      schedule.run();
      assertThat(reader.value()).containsExactly(1, 2, 3);
    });
  }

  @Test
  void a_reader_that_leaves_races_a_publisher_that_waits_for_it() {
    Schedules.explore(schedule -> {
      var queue = queue(schedule, Backlog.blocking());
      var publisher =
          schedule.actor(
              "publisher",
              () -> {
                for (int i = 1; i <= 3; i++) queue.put(i);
                return true;
              });
      var reader =
          schedule.actor(
              "reader",
              () -> {
                var first = queue.take();
                schedule.point("has one");
                queue.removeListener();
                return first;
              });
      schedule.run();
      assertThat(reader.value()).isEqualTo(1);
      assertThat(publisher.value()).isTrue();
      assertThat(queue.lost()).isZero();
    });
  }

  @Test
  void two_publishers_race_a_slow_reader_that_loses_the_oldest() {
    Schedules.explore(schedule -> {
      var queue = queue(schedule, Backlog.droppingOldest());
      var published = new int[1];
      for (int first : List.of(1, 3)) {
        schedule.actor(
            "publisher of " + first,
            () -> {
              queue.put(first);
              queue.put(first + 1);
              if (++published[0] == 2) queue.end();
              return true;
            });
      }
      var reader = schedule.actor("reader", () -> read(queue));
      schedule.run();
      var events = reader.value().stream().filter(event -> event > 0).toList();
      int lost = -reader.value().stream().filter(event -> event < 0).mapToInt(e -> e).sum();
      // Each event is read or told to be lost, and those of one publisher keep their order.
      assertThat(events.size() + lost).isEqualTo(4);
      assertThat(queue.lost()).isEqualTo(lost);
      assertThat(events).doesNotHaveDuplicates();
      assertThat(events.indexOf(1) > events.indexOf(2) && events.contains(2)).isFalse();
      assertThat(events.indexOf(3) > events.indexOf(4) && events.contains(4)).isFalse();
    });
  }

  @Test
  void a_subscription_races_the_close_of_the_hub() {
    Schedules.explore(schedule -> {
      var hub = new EventHub();
      schedule.actor(
          "hub",
          () -> {
            schedule.point("open");
            hub.close();
            return true;
          });
      var reader =
          schedule.actor(
              "reader",
              () -> {
                var subscription = hub.subscribe(EventFilter.all());
                schedule.point("subscribed");
                // At a hub that is closed there is nothing to wait for.
                return subscription.iterator().hasNext();
              });
      schedule.run();
      assertThat(reader.value()).isFalse();
      assertThat(hub.isListening()).isFalse();
    });
  }
}
