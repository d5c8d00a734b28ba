package dev.superstep.graph;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.Commit;
import dev.superstep.checkpoint.ForwardingCheckpointer;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.checkpoint.Lease;
import dev.superstep.checkpoint.LeaseLost;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.checkpoint.StoreFailed;
import dev.superstep.node.Update;
import dev.superstep.run.Durability;
import dev.superstep.run.Input;
import dev.superstep.schedule.Schedules;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Writes that are made while the run goes on, under every order of both.
@Timeout(120)
final class WriteSchedulesTest {
  private static final String[] NODES = {"a", "b", "c"};

  /// Commits so often, and then fails for good, as if its process had died.
  private static final class Dying extends ForwardingCheckpointer {
    private final int commits;
    private final AtomicInteger made = new AtomicInteger();

    Dying(InMemoryCheckpointer memory, int commits) {
      super(memory);
      this.commits = commits;
    }

    @Override
    public boolean commit(Lease lease, Commit commit) {
      if (made.getAndIncrement() < commits) return super.commit(lease, commit);
      throw new StoreFailed("memory", "it is gone", new IllegalStateException("gone"));
    }
  }

  @ParameterizedTest
  @EnumSource(Durability.class)
  void queued_writes_race_the_end_of_the_run(Durability durability) {
    Schedules.explore(schedule -> {
      var race = new Races(schedule);
      var graph = Races.line(NODES);
      var stored =
          schedule.actor(
              "run",
              () -> {
                graph.invoke(Input.none(), race.options().durability(durability));
                // At this moment, not when all threads have ended.
                return List.of(race.stored(graph), race.isHeld());
              });
      schedule.actor("renewal", race::renew);
      schedule.run();
      assertThat(stored.value()).isEqualTo(List.of(List.of(NODES), false));
      assertThat(race.isHeld()).isFalse();
    });
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void queued_writes_race_a_crash_of_the_store(int commits) {
    Schedules.explore(schedule -> {
      var race = new Races(schedule);
      var graph = Races.line(NODES);
      var dying = schedule.watched(Checkpointer.class, new Dying(race.memory, commits));
      var options = race.options().checkpoints(dying).durability(Durability.ASYNC);
      var run = schedule.actor("run", () -> graph.invoke(Input.none(), options));
      schedule.run();
      assertThat(run.thrown()).get().isInstanceOf(StoreFailed.class);
      // What is stored is what came first, with nothing left out in between.
      assertThat(race.stored(graph)).isEqualTo(List.of(NODES).subList(0, commits - 1));
      assertThat(race.resumed(graph)).containsExactly(NODES);
    });
  }

  @Test
  void queued_writes_race_a_takeover() {
    Schedules.explore(schedule -> {
      var race = new Races(schedule);
      var graph = Races.line(NODES);
      var options = race.options().durability(Durability.ASYNC);
      var run = schedule.actor("run", () -> graph.invoke(Input.none(), options));
      var takeover =
          schedule.actor(
              "takeover",
              () -> {
                if (!race.control.breakLease("t")) return List.<String>of();
                return race.stored(graph);
              });
      schedule.run();
      assertThat(race.isHeld()).isFalse();
      if (run.thrown().isPresent()) {
        assertThat(run.thrown()).get().isInstanceOf(LeaseLost.class);
        assertThat(race.stored(graph)).isEqualTo(takeover.value());
        if (race.memory.find("t").isPresent()) {
          assertThat(race.resumed(graph)).containsExactly(NODES);
        }
      } else {
        assertThat(race.stored(graph)).containsExactly(NODES);
      }
    });
  }

  @Test
  void the_results_of_steps_race_queued_checkpoints() {
    Schedules.explore(schedule -> {
      var race = new Races(schedule);
      var effects = new AtomicInteger();
      var kept = new AtomicInteger();
      var graph =
          Graph.named("steps")
              .channels(Races.SAID)
              .node("a", (_, _) -> Update.of(Races.SAID, "a"))
              .node(
                  "b",
                  (_, context) -> {
                    var text =
                        context.step(
                            "s", String.class, () -> "effect " + effects.incrementAndGet());
                    // It is safe now, and so is the checkpoint that its task runs from.
                    var newest = race.memory.latest(Lineage.of("t")).orElseThrow().checkpoint();
                    kept.set(race.memory.steps(Lineage.of("t"), newest.id()).size());
                    return Update.of(Races.SAID, text);
                  })
              .sequence(Graph.START, "a", "b", Graph.END)
              .compile();
      var options = race.options().durability(Durability.ASYNC);
      var run = schedule.actor("run", () -> graph.invoke(Input.none(), options));
      schedule.actor("renewal", race::renew);
      schedule.run();
      assertThat(Races.said(run.value())).containsExactly("a", "effect 1");
      assertThat(race.stored(graph)).containsExactly("a", "effect 1");
      assertThat(kept).hasValue(1);
      assertThat(effects).hasValue(1);
    });
  }
}
