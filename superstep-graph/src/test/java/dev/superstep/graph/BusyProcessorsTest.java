package dev.superstep.graph;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static dev.superstep.graph.Runs.thrown;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.ForwardingCheckpointer;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.checkpoint.Lease;
import dev.superstep.error.NodeFailed;
import dev.superstep.error.NodeTimedOut;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Send;
import dev.superstep.node.Target;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome;
import java.time.Duration;
import java.util.Collections;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Nodes that compute leave no carrier to other virtual threads.
@Tag("G21")
@Timeout(60)
class BusyProcessorsTest {
  private static final Target<Integer> SPIN = Target.of("spin", Integer.class);
  private static final int MANY = 2 * Runtime.getRuntime().availableProcessors();
  private static final Duration SOON = Duration.ofMillis(50);

  private final AtomicBoolean over = new AtomicBoolean();

  private Graph spinning(NodePolicy policy) {
    return Graph.named("spinning")
        .node(
            SPIN,
            (_, _, _) -> {
              while (!over.get()) {
                Thread.onSpinWait();
                if (Thread.interrupted()) throw new InterruptedException("stopped");
              }
              return NodeResult.nothing();
            },
            policy)
        .fanOut(START, _ -> Collections.<Send<?>>nCopies(MANY, Send.to(SPIN, 0)), SPIN)
        .edge("spin", END)
        .compile();
  }

  private static final class Counting extends ForwardingCheckpointer {
    private final CountDownLatch renewals = new CountDownLatch(3);

    Counting(Checkpointer store) {
      super(store);
    }

    @Override
    public boolean renew(Lease lease, Duration time) {
      renewals.countDown();
      return super.renew(lease, time);
    }
  }

  @Test
  void a_lease_is_renewed_while_nodes_compute_on_all_processors() throws Exception {
    var store = new Counting(new InMemoryCheckpointer());
    var options = RunOptions.thread("t").checkpoints(store).lease(Duration.ofMillis(500));
    var run = new FutureTask<>(() -> spinning(NodePolicy.defaults()).invoke(Input.none(), options));
    Thread.ofPlatform().start(run);
    store.renewals.await();
    over.set(true);
    assertThat(run.get()).isInstanceOf(Outcome.Completed.class);
  }

  @Test
  void nodes_that_compute_on_all_processors_are_stopped_when_their_time_is_up() {
    var policy = NodePolicy.defaults().timeout(SOON);
    assertThat(thrown(NodeFailed.class, () -> spinning(policy).invoke(Input.none())))
        .hasCauseInstanceOf(NodeTimedOut.class);
  }

  @Test
  void the_deadline_stops_nodes_that_compute_on_all_processors() throws Exception {
    var options = RunOptions.defaults().deadline(Duration.ofMillis(200));
    var outcome = spinning(NodePolicy.defaults()).invoke(Input.none(), options);
    assertThat(outcome).isInstanceOf(Outcome.Stopped.class);
    assertThat(((Outcome.Stopped) outcome).reason()).isEqualTo(Outcome.Reason.DEADLINE);
  }

  @Test
  void a_result_after_the_timeout_is_discarded() {
    var policy = NodePolicy.defaults().timeout(SOON);
    var graph =
        Graph.named("late")
            .node(
                SPIN,
                (_, _, _) -> {
                  long until = System.nanoTime() + 4 * SOON.toNanos();
                  while (System.nanoTime() < until) Thread.onSpinWait();
                  return NodeResult.nothing();
                },
                policy)
            .fanOut(START, _ -> Collections.<Send<?>>nCopies(MANY, Send.to(SPIN, 0)), SPIN)
            .edge("spin", END)
            .compile();
    assertThat(thrown(NodeFailed.class, () -> graph.invoke(Input.none())))
        .hasCauseInstanceOf(NodeTimedOut.class);
  }
}
