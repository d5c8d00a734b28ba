package dev.superstep.graph;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.node.Update;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome;
import dev.superstep.schedule.Schedules;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A run that is asked to stop, under every order of the request and its writes: what it says is
/// what is stored, and what is left is done once.
@Timeout(120)
final class CancelSchedulesTest {
  private static void assertAgreed(Races race, Graph graph, Outcome outcome) {
    assertThat(race.stored(graph)).isEqualTo(Races.said(outcome));
    if (outcome instanceof Outcome.Stopped stopped) Races.assertCancelled(stopped);
    else assertThat(race.stored(graph)).containsExactly("a", "b");
  }

  @Test
  void a_cancel_races_the_last_write() {
    Schedules.explore(schedule -> {
      var race = new Races(schedule);
      var graph = Races.line("a", "b");
      var streams = new CompletableFuture<RunStream>();
      var run =
          schedule.actor(
              "run",
              () -> {
                var stream = graph.stream(Input.none(), race.options());
                streams.complete(stream);
                return stream.outcome();
              });
      schedule.actor(
          "cancel",
          () -> {
            var stream = streams.get();
            schedule.point("has the stream");
            stream.cancel();
            return true;
          });
      schedule.run();
      assertAgreed(race, graph, run.value());
      assertThat(race.isHeld()).isFalse();
      if (race.memory.find("t").isPresent()) {
        assertThat(race.resumed(graph)).containsExactly("a", "b");
      }
    });
  }

  @Test
  void an_interruption_of_the_caller_races_the_last_write() {
    Schedules.explore(schedule -> {
      var race = new Races(schedule);
      var graph = Races.line("a", "b");
      var caller = new CompletableFuture<Thread>();
      var isLeft = new boolean[1];
      var isOver = new boolean[1];
      var run =
          schedule.actor(
              "run",
              () -> {
                caller.complete(Thread.currentThread());
                try {
                  return graph.invoke(Input.none(), race.options());
                } finally {
                  isOver[0] = true;
                  isLeft[0] = Thread.interrupted();
                }
              });
      var cancel =
          schedule.actor(
              "cancel",
              () -> {
                var thread = caller.get();
                schedule.point("has the thread");
                thread.interrupt();
                return !isOver[0];
              });
      schedule.run();
      if (run.thrown().isPresent()) {
        assertThat(run.thrown()).get().isInstanceOf(InterruptedException.class);
        assertThat(race.stored(graph)).isNotEqualTo(List.of("a", "b"));
      } else {
        assertThat(Races.said(run.value())).containsExactly("a", "b").isEqualTo(race.stored(graph));
        // The run did not heed it, so it is still the caller's.
        assertThat(isLeft[0]).isEqualTo(cancel.value());
      }
      assertThat(race.isHeld()).isFalse();
      if (race.memory.find("t").isPresent()) {
        assertThat(race.resumed(graph)).containsExactly("a", "b");
      }
    });
  }

  @Test
  void a_cancel_by_name_races_the_last_write() {
    Schedules.explore(schedule -> {
      var race = new Races(schedule);
      var graph = Races.line("a", "b");
      var isLeft = new boolean[1];
      var run =
          schedule.actor(
              "run",
              () -> {
                var outcome = graph.invoke(Input.none(), race.options());
                isLeft[0] = Thread.interrupted();
                return outcome;
              });
      var cancel = schedule.actor("cancel", () -> race.control.requestCancel("t") && race.renew());
      schedule.run();
      assertAgreed(race, graph, run.value());
      if (run.value() instanceof Outcome.Stopped) assertThat(cancel.value()).isTrue();
      // It was meant for the run, not for what its caller does next.
      assertThat(isLeft[0]).isFalse();
      assertThat(race.isHeld()).isFalse();
      assertThat(race.resumed(graph)).containsExactly("a", "b");
    });
  }

  @Test
  void a_cancel_races_two_nodes_at_work() {
    Schedules.explore(schedule -> {
      var race = new Races(schedule);
      var began = new AtomicInteger();
      var afterCancel = new AtomicInteger();
      var cancelled = new boolean[1];
      var nodes = Graph.named("both").channels(Races.SAID).questions(Races.WHAT);
      for (var name : List.of("a", "b")) {
        nodes.node(
            name,
            (_, _) -> {
              began.incrementAndGet();
              if (cancelled[0]) afterCancel.incrementAndGet();
              schedule.point("at work");
              return Update.of(Races.SAID, name);
            });
        nodes.edge(Graph.START, name).edge(name, Graph.END);
      }
      var graph = nodes.compile();
      var streams = new CompletableFuture<RunStream>();
      var run =
          schedule.actor(
              "run",
              () -> {
                var stream = graph.stream(Input.none(), race.options().concurrency(1));
                streams.complete(stream);
                return stream.outcome();
              });
      schedule.actor(
          "cancel",
          () -> {
            streams.get().cancel();
            cancelled[0] = true;
            return true;
          });
      schedule.run();
      assertThat(race.stored(graph)).isEqualTo(Races.said(run.value()));
      assertThat(afterCancel).hasValue(0);
      if (run.value() instanceof Outcome.Stopped stopped) Races.assertCancelled(stopped);
      if (race.memory.find("t").isPresent()) {
        assertThat(race.resumed(graph)).containsExactly("a", "b");
      }
    });
  }
}
