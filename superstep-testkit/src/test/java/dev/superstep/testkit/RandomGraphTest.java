package dev.superstep.testkit;

import static dev.superstep.testkit.Journey.kept;
import static dev.superstep.testkit.Journey.unkept;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.graph.Graph;
import dev.superstep.graph.NodePolicy;
import dev.superstep.graph.RunOptions;
import dev.superstep.node.Retry;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// The result of a graph, and what it tells, depend on the graph and its input, and on nothing
/// else.
@Tag("X14")
@Tag("A3")
class RandomGraphTest {
  /// Of each property.
  private static final int CASES = Integer.getInteger("superstep.cases", 200);

  @Test
  void the_result_is_the_same_with_concurrency_1_and_2_and_64() throws Exception {
    var finished = new AtomicInteger();
    Property.check(
        1_000,
        CASES,
        RandomGraph::draw,
        shape -> {
          var one = end(shape, unkept().concurrency(1));
          assertThat(end(shape, unkept().concurrency(2))).isEqualTo(one);
          assertThat(end(shape, unkept().concurrency(64))).isEqualTo(one);
          if (one.isCompleted()) finished.incrementAndGet();
        });
    // Else the generator would make nothing but deadlocks, and this would prove little.
    assertThat(finished.get()).isGreaterThan(CASES / 2);
  }

  @Test
  void keeping_a_run_does_not_change_it() throws Exception {
    Property.check(
        200_000,
        CASES,
        RandomGraph::draw,
        shape -> assertThat(end(shape, kept())).isEqualTo(end(shape, unkept())));
  }

  @Test
  void stopping_and_resuming_after_every_superstep_does_not_change_it() throws Exception {
    Property.check(
        300_000,
        CASES,
        RandomGraph::draw,
        shape -> assertThat(end(shape, kept().stepLimit(1))).isEqualTo(end(shape, unkept())));
  }

  @Test
  @Tag("T88")
  void tasks_that_fail_once_do_not_change_it_and_finished_ones_run_once() throws Exception {
    Property.check(
        400_000,
        CASES,
        RandomGraph::draw,
        shape -> {
          var trouble = new Trouble.FailsOnce();
          assertThat(Journey.of(graph(shape, trouble), kept())).isEqualTo(end(shape, unkept()));
          trouble.assertEachRanOnce();
        });
  }

  @Test
  @Tag("T85")
  void tasks_that_are_tried_again_until_they_succeed_do_not_change_it() throws Exception {
    var failures = new AtomicLong();
    var policy = NodePolicy.defaults().retry(Retry.of(4).when(Trouble.OnPurpose.class::isInstance));
    Property.check(
        500_000,
        CASES,
        RandomGraph::draw,
        shape -> {
          var expected = end(shape, unkept());
          for (int concurrency : new int[] {1, 64}) {
            var trouble = new Trouble.FailsSome();
            var options = unkept().concurrency(concurrency).sleeper(_ -> {});
            var graph = new RandomProgram(shape, trouble, policy).graph();
            assertThat(Journey.of(graph, options.retryBudget(Integer.MAX_VALUE)))
                .isEqualTo(expected);
            failures.addAndGet(trouble.failures());
          }
        });
    assertThat(failures.get()).isGreaterThan(CASES);
  }

  @Test
  @Tag("W17")
  @Tag("W18")
  void questions_do_not_change_it_and_no_task_works_twice() throws Exception {
    var answers = new AtomicLong();
    Property.check(
        600_000,
        CASES,
        RandomGraph::draw,
        shape -> {
          var trouble = new Trouble.Asks();
          assertThat(Journey.of(graph(shape, trouble), kept())).isEqualTo(end(shape, unkept()));
          trouble.assertEachRanOnce();
          answers.addAndGet(trouble.answers());
        });
    assertThat(answers.get()).isGreaterThan(CASES);
  }

  private static Journey end(RandomGraph shape, RunOptions options) throws Exception {
    return Journey.of(graph(shape, Trouble.NONE), options);
  }

  private static Graph graph(RandomGraph shape, Trouble trouble) {
    return new RandomProgram(shape, trouble, NodePolicy.defaults()).graph();
  }
}
