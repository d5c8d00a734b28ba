package dev.superstep.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.event.Event;
import dev.superstep.graph.RunOptions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// A run with dataflow ends as it ends without, whatever is in its way.
@Tag("LG5.4")
class RandomDataflowTest {
  /// Of each property.
  private static final int CASES = Integer.getInteger("superstep.cases", 50);

  private static final int STEPS_MAX = 300;
  private static final Lineage THREAD = Lineage.of("t");

  private static RunOptions unkept() {
    return RunOptions.defaults().stepLimit(STEPS_MAX);
  }

  private static RunOptions kept(Checkpointer store) {
    return RunOptions.thread("t").checkpoints(store).stepLimit(STEPS_MAX);
  }

  private static Journey end(RandomDataflow program, Trouble trouble, RunOptions options)
      throws Exception {
    return Journey.of(program.graph(trouble), options, RandomDataflow::show);
  }

  private static Journey expected(RandomDataflow program) throws Exception {
    return end(program, Trouble.NONE, unkept());
  }

  @Test
  void state_versions_and_facts_are_those_of_the_supersteps() throws Exception {
    var completed = new AtomicInteger();
    var early = new AtomicLong();
    Property.check(
        1_000,
        CASES,
        RandomDataflow::draw,
        program -> {
          var expected = expected(program);
          if (expected.isCompleted()) completed.incrementAndGet();
          for (int concurrency : new int[] {1, 2, 64}) {
            var steps = new AtomicInteger();
            var options =
                unkept()
                    .concurrency(concurrency)
                    .dataflow()
                    .listener(event -> {
                      if (!event.origin().path().isEmpty()) return;
                      if (event instanceof Event.StepStarted e) steps.set(e.origin().step());
                      if (event instanceof Event.NodeStarted e) {
                        if (e.origin().step() > steps.get()) early.incrementAndGet();
                      }
                    });
            assertThat(end(program, Trouble.NONE, options)).isEqualTo(expected);
          }
        });
    // Else the generator would make nothing that can begin ahead.
    assertThat(completed.get()).isGreaterThan(CASES / 2);
    assertThat(early.get()).isGreaterThan(CASES / 2);
  }

  @Test
  void the_checkpoints_are_those_of_the_supersteps_in_their_order() throws Exception {
    Property.check(
        100_000,
        CASES,
        RandomDataflow::draw,
        program -> {
          var plain = new InMemoryCheckpointer();
          var ahead = new InMemoryCheckpointer();
          var expected = end(program, Trouble.NONE, kept(plain));
          assertThat(end(program, Trouble.NONE, kept(ahead).dataflow())).isEqualTo(expected);
          assertThat(history(ahead)).isEqualTo(history(plain));
        });
  }

  @Test
  void stopping_after_every_superstep_does_not_change_it() throws Exception {
    Property.check(
        200_000,
        CASES,
        RandomDataflow::draw,
        program -> {
          var options = kept(new InMemoryCheckpointer()).stepLimit(1).dataflow();
          assertThat(end(program, Trouble.NONE, options)).isEqualTo(expected(program));
        });
  }

  @Test
  void tasks_that_fail_once_do_not_change_it_and_finished_ones_run_once() throws Exception {
    Property.check(
        300_000,
        CASES,
        RandomDataflow::draw,
        program -> {
          // One that is passed over when it fails would not be tried again.
          if (program.parts().stream().anyMatch(RandomDataflow.Part::fails)) return;
          var trouble = new Trouble.FailsOnce();
          var options = kept(new InMemoryCheckpointer()).dataflow();
          assertThat(end(program, trouble, options)).isEqualTo(expected(program));
          trouble.assertEachRanOnce();
        });
  }

  @Test
  void questions_do_not_change_it_and_no_task_works_twice() throws Exception {
    Property.check(
        400_000,
        CASES,
        RandomDataflow::draw,
        program -> {
          var trouble = new Trouble.Asks();
          var options = kept(new InMemoryCheckpointer()).dataflow();
          assertThat(end(program, trouble, options)).isEqualTo(expected(program));
          trouble.assertEachRanOnce();
        });
  }

  @Test
  void a_store_that_is_lost_at_any_moment_costs_no_finished_task() throws Exception {
    var losses = new AtomicInteger();
    Property.check(
        500_000,
        CASES / 10,
        RandomDataflow::draw,
        program -> {
          var expected = expected(program);
          if (!expected.isCompleted()) return;
          for (int moment = 1; loses(program, expected, moment); moment++) {
            losses.incrementAndGet();
          }
        });
    assertThat(losses.get()).isGreaterThan(CASES / 10);
  }

  /// Loses the store at a moment, and resumes from what it had kept by then.
  ///
  /// @return whether it was lost before the run ended
  private static boolean loses(RandomDataflow program, Journey expected, int moment)
      throws Exception {
    var store = new InMemoryCheckpointer();
    var losing = new LosingCheckpointer(store, moment);
    var trouble = new Trouble.Asks();
    try {
      end(program, trouble, kept(losing).dataflow());
    } catch (RuntimeException | AssertionError e) {
      if (!losing.isLost()) throw e;
    }
    if (!losing.isLost()) return false;
    // Nothing is kept before the input is, and then there is nothing to resume.
    if (store.latest(THREAD).isEmpty()) return true;
    var began = Collections.synchronizedList(new ArrayList<String>());
    var options =
        kept(store)
            .listener(event -> {
              if (event instanceof Event.NodeStarted e) began.add(e.task());
            });
    var graph = program.graph(trouble);
    var resuming = moment % 4 < 2 ? options : options.dataflow();
    assertThat(Journey.resumed(graph, resuming, RandomDataflow::show)).isEqualTo(expected.state());
    began.retainAll(losing.finished());
    assertThat(began).as("tasks that ran again").isEmpty();
    return true;
  }

  /// All checkpoints, oldest first, but for their ids and times.
  private static List<String> history(Checkpointer store) {
    var history = new ArrayList<String>();
    for (var checkpoint : store.page(THREAD, Optional.empty(), 1_000).reversed()) {
      var channels =
          store.byId(THREAD, checkpoint.id()).orElseThrow().channels().stream()
              .map(Object::toString)
              .sorted()
              .toList();
      history.add(checkpoint.step() + " " + checkpoint.progress() + " " + channels);
    }
    return history;
  }
}
