package dev.superstep.graph;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.error.RunRefused;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome;
import dev.superstep.schedule.Schedules;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A drain, under every order with runs that begin and end.
@Timeout(120)
final class DrainSchedulesTest {
  private static final Duration LONG = Duration.ofHours(2);

  @Test
  void a_drain_races_the_begin_of_a_run() {
    Schedules.explore(schedule -> {
      var race = new Races(schedule);
      var graph = Races.line("a", "b");
      var drain = new Drain();
      var options = race.options().drain(drain);
      var run =
          schedule.actor(
              "run",
              () -> {
                schedule.point("not begun");
                return graph.invoke(Input.none(), options);
              });
      var drained =
          schedule.actor(
              "drain",
              () -> {
                drain.start();
                schedule.point("started");
                assertThat(drain.await(LONG)).isEmpty();
                return List.of(race.stored(graph), race.isHeld());
              });
      schedule.run();
      // Nothing was at work any more when the drain said so, and nothing has begun since.
      assertThat(drained.value()).isEqualTo(List.of(race.stored(graph), false));
      assertThat(race.isHeld()).isFalse();
      assertThat(drain.running()).isEmpty();
      if (run.thrown().isPresent()) {
        assertThat(run.thrown()).get().isInstanceOf(RunRefused.class);
        assertThat(race.memory.find("t")).isEmpty();
        return;
      }
      assertThat(race.stored(graph)).isEqualTo(Races.said(run.value()));
      if (run.value() instanceof Outcome.Stopped(var reason, _)) {
        assertThat(reason).isEqualTo(Outcome.Reason.DRAINED);
      }
      assertThat(race.resumed(graph)).containsExactly("a", "b");
    });
  }

  @Test
  void a_drain_races_a_cancel() {
    Schedules.explore(schedule -> {
      var race = new Races(schedule);
      var graph = Races.line("a", "b");
      var drain = new Drain();
      var options = race.options().drain(drain);
      var run = schedule.actor("run", () -> graph.invoke(Input.none(), options));
      schedule.actor("cancel", () -> race.control.requestCancel("t") && race.renew());
      schedule.actor(
          "drain",
          () -> {
            schedule.point("not started");
            drain.start();
            return drain.await(LONG);
          });
      schedule.run();
      assertThat(race.isHeld()).isFalse();
      if (run.thrown().isPresent()) {
        assertThat(run.thrown()).get().isInstanceOf(RunRefused.class);
        assertThat(race.memory.find("t")).isEmpty();
        return;
      }
      assertThat(race.stored(graph)).isEqualTo(Races.said(run.value()));
      assertThat(race.resumed(graph)).containsExactly("a", "b");
    });
  }
}
