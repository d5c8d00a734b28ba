package dev.superstep.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.graph.Answers;
import dev.superstep.graph.ConcurrentWrites;
import dev.superstep.graph.Deadlock;
import dev.superstep.graph.Graph;
import dev.superstep.graph.Input;
import dev.superstep.graph.NodeFailed;
import dev.superstep.graph.NodePolicy;
import dev.superstep.graph.Outcome;
import dev.superstep.graph.Retry;
import dev.superstep.graph.RunOptions;
import dev.superstep.graph.StepLimitReached;
import dev.superstep.testkit.RandomGraph.Trouble;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// The result of a graph depends on the graph and its input, and on nothing else.
@Tag("X14")
@Tag("A3")
class RandomGraphTest {
  private static final int CASES = Integer.getInteger("superstep.cases", 150);
  private static final int RESUMES_MAX = 2_000;
  private static final Trouble NONE = (_, _) -> {};

  @Test
  void state_and_versions_are_the_same_with_concurrency_1_and_64() throws Exception {
    var finished = new AtomicInteger();
    Property.check(
        1_000,
        CASES,
        RandomGraph::draw,
        program -> {
          var one = end(program, NONE, RunOptions.defaults().concurrency(1));
          for (int i = 0; i < 3; i++) {
            assertThat(end(program, NONE, RunOptions.defaults().concurrency(64))).isEqualTo(one);
          }
          if (one.startsWith("{")) finished.incrementAndGet();
        });
    // Else the generator would make nothing but deadlocks, and this would prove little.
    assertThat(finished.get()).isGreaterThan(CASES / 2);
  }

  @Test
  void keeping_a_run_does_not_change_it() throws Exception {
    Property.check(
        2_000,
        CASES,
        RandomGraph::draw,
        program -> assertThat(end(program, NONE, kept())).isEqualTo(end(program, NONE, unkept())));
  }

  @Test
  void stopping_and_resuming_after_every_superstep_does_not_change_it() throws Exception {
    Property.check(
        3_000,
        CASES,
        RandomGraph::draw,
        program ->
            assertThat(end(program, NONE, kept().stepLimit(1)))
                .isEqualTo(end(program, NONE, unkept())));
  }

  @Test
  @Tag("T88")
  void tasks_that_fail_once_do_not_change_it_and_finished_ones_run_once() throws Exception {
    Property.check(
        4_000,
        CASES,
        RandomGraph::draw,
        program -> {
          var trouble = new RandomGraph.FailsOnce();
          assertThat(end(program, trouble, kept())).isEqualTo(end(program, NONE, unkept()));
          assertThat(trouble.finished()).allSatisfy((_, runs) -> assertThat(runs).isEqualTo(1));
        });
  }

  @Test
  @Tag("T85")
  void tasks_that_are_tried_again_until_they_succeed_do_not_change_it() throws Exception {
    var failures = new AtomicLong();
    var policy = NodePolicy.defaults().retry(Retry.of(4));
    Property.check(
        5_000,
        CASES,
        RandomGraph::draw,
        program -> {
          var expected = end(program, NONE, unkept());
          for (int concurrency : new int[] {1, 64}) {
            var trouble = new RandomGraph.FailsSome();
            var options = unkept().concurrency(concurrency).sleeper(_ -> {});
            var end = end(program.graph(trouble, policy), options.retryBudget(Integer.MAX_VALUE));
            assertThat(end).isEqualTo(expected);
            failures.addAndGet(trouble.failures());
          }
        });
    assertThat(failures.get()).isGreaterThan(CASES);
  }

  private static RunOptions unkept() {
    return RunOptions.defaults().stepLimit(500);
  }

  private static RunOptions kept() {
    return RunOptions.thread("t").checkpoints(new InMemoryCheckpointer()).stepLimit(500);
  }

  /// How the program ends, resumed as often as it takes, as text.
  private static String end(RandomGraph program, Trouble trouble, RunOptions options)
      throws Exception {
    return end(program.graph(trouble, NodePolicy.defaults()), options);
  }

  private static String end(Graph graph, RunOptions options) throws Exception {
    Callable<Outcome> next = () -> graph.invoke(Input.none(), options);
    for (int i = 0; i < RESUMES_MAX; i++) {
      try {
        return RandomGraph.show(((Outcome.Completed) next.call()).state());
      } catch (Deadlock e) {
        return "stuck at " + e.waiting();
      } catch (ConcurrentWrites e) {
        return "conflict in " + e.channel();
      } catch (StepLimitReached e) {
        if (e.limit() > 1) return "limit";
      } catch (NodeFailed e) {
        if (!(e.getCause() instanceof RandomGraph.OnPurpose)) throw e;
      }
      next = () -> resume(graph, options);
    }
    throw new AssertionError("it does not end");
  }

  private static Outcome resume(Graph graph, RunOptions options) throws InterruptedException {
    return graph.resume(Answers.none(), options);
  }
}
