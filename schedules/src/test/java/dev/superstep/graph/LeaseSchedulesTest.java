package dev.superstep.graph;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.LeaseLost;
import dev.superstep.checkpoint.ThreadBusy;
import dev.superstep.error.ThreadError;
import dev.superstep.run.Answers;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome;
import dev.superstep.schedule.Schedules;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Who holds a thread, under every order of those who want it. Actors: a run, the renewal of its
/// lease, another process that takes the thread over, a person who cancels it.
@Timeout(120)
final class LeaseSchedulesTest {
  /// Errors that tell a run that the thread is another's.
  private static final Class<?>[] REFUSALS = {LeaseLost.class, ThreadBusy.class, ThreadError.class};

  @Test
  void a_renewal_races_the_last_write() {
    Schedules.explore(schedule -> {
      var race = new Races(schedule);
      var graph = Races.line("a");
      var run = schedule.actor("run", () -> graph.invoke(Input.none(), race.options()));
      schedule.actor("renewal", race::renew);
      schedule.actor("second renewal", race::renew);
      schedule.run();
      assertThat(run.value()).isInstanceOf(Outcome.Completed.class);
      assertThat(race.stored(graph)).containsExactly("a");
      // A renewal that comes after the last write would take the thread again.
      assertThat(race.isHeld()).isFalse();
    });
  }

  @Test
  void a_renewal_races_a_release() {
    Schedules.explore(schedule -> {
      var race = new Races(schedule);
      var graph = Races.line("a");
      // With a journal the last write is not known to be the last, so the lease is given back.
      var options = race.options().journal();
      var run = schedule.actor("run", () -> graph.invoke(Input.none(), options));
      schedule.actor("renewal", race::renew);
      schedule.run();
      assertThat(run.value()).isInstanceOf(Outcome.Completed.class);
      assertThat(race.isHeld()).isFalse();
    });
  }

  @Test
  void a_renewal_races_a_takeover() {
    Schedules.explore(schedule -> {
      var race = new Races(schedule);
      var graph = Races.line("a");
      var run = schedule.actor("run", () -> graph.invoke(Input.none(), race.options()));
      schedule.actor("renewal", race::renew);
      var takeover =
          schedule.actor(
              "takeover",
              () ->
                  race.memory.breakLease("t")
                      && race.memory.acquire("t", "takeover", Duration.ofHours(1)) != null);
      schedule.run();
      if (takeover.thrown().isPresent()) throw new AssertionError(takeover.thrown().get());
      if (takeover.value()) {
        // Nobody but who took it over holds it, and the run wrote nothing after that.
        var holder = race.memory.find("t").flatMap(thread -> thread.holder());
        holder.ifPresent(it -> assertThat(it.owner()).isEqualTo("takeover"));
        assertThat(run.thrown()).get().isInstanceOf(LeaseLost.class);
        assertThat(race.stored(graph)).isEmpty();
      } else {
        assertThat(Races.said(run.value())).containsExactly("a").isEqualTo(race.stored(graph));
        assertThat(race.isHeld()).isFalse();
      }
    });
  }

  @Test
  void a_takeover_races_the_last_write() {
    Schedules.explore(schedule -> {
      var race = new Races(schedule);
      var graph = Races.line("a");
      var first = schedule.actor("first", () -> graph.invoke(Input.none(), race.options()));
      var second =
          schedule.actor(
              "second",
              () -> {
                race.control.breakLease("t");
                return race.memory.find("t").isEmpty()
                    ? graph.invoke(Input.none(), race.options())
                    : graph.resume(Answers.none(), race.options());
              });
      schedule.run();
      var stored = race.stored(graph);
      var ends = new ArrayList<List<String>>();
      for (var run : List.of(first, second)) {
        if (run.thrown().isEmpty()) ends.add(Races.said(run.value()));
        else assertThat(run.thrown()).get().isInstanceOfAny(REFUSALS);
      }
      // What a run came to is stored, and only the other one may have added to it.
      assertThat(ends).allSatisfy(end -> assertThat(stored).startsWith(end.toArray(String[]::new)));
      assertThat(stored).hasSizeLessThanOrEqualTo(ends.size());
      assertThat(race.isHeld()).isFalse();
      if (race.memory.find("t").isPresent()) {
        assertThat(race.resumed(graph)).hasSize(Math.max(1, stored.size()));
      }
    });
  }

  @Test
  void a_cancel_races_the_loss_of_the_lease() {
    Schedules.explore(schedule -> {
      var race = new Races(schedule);
      var graph = Races.line("a", "b");
      var run = schedule.actor("run", () -> graph.invoke(Input.none(), race.options()));
      var cancel =
          schedule.actor(
              "cancel",
              () -> {
                boolean isAsked = race.control.requestCancel("t");
                race.renew();
                return isAsked;
              });
      var takeover = schedule.actor("takeover", () -> race.control.breakLease("t"));
      schedule.run();
      if (run.thrown().isPresent()) {
        assertThat(run.thrown()).get().isInstanceOf(LeaseLost.class);
        assertThat(takeover.value()).isTrue();
        assertThat(race.stored(graph)).isSubsetOf("a", "b");
      } else {
        assertThat(race.stored(graph)).isEqualTo(Races.said(run.value()));
        if (run.value() instanceof Outcome.Stopped stopped) {
          Races.assertCancelled(stopped);
          assertThat(cancel.value()).isTrue();
        }
      }
      assertThat(race.isHeld()).isFalse();
      if (race.memory.find("t").isPresent()) {
        assertThat(race.resumed(graph)).containsExactly("a", "b");
      }
    });
  }
}
