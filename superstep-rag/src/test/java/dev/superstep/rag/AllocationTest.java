package dev.superstep.rag;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.superstep.graph.Graph;
import dev.superstep.graph.RunOptions;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Send;
import dev.superstep.node.Target;
import dev.superstep.node.Update;
import dev.superstep.run.Input;
import dev.superstep.state.Channel;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A graph from text allocates what the same graph from Java allocates, for each superstep (W1) and
/// each task that is sent (W2).
@Timeout(300)
class AllocationTest {
  private static final int STEPS = 2_000;
  private static final int WARM_RUNS = 20;
  private static final int RUNS = 10;
  private static final Channel<Long, Long> N = Channel.latest("n", Long.class);
  private static final Channel<List<String>, String> ITEMS = Channel.append("items", String.class);
  private static final Target<Long> TASK = Target.of("task", Long.class);

  private static final String LOOP =
      """
      graph loop {
        channel n overwrite of int
        start count
        node count { kind function function "count" router "again" routes { count END } }
      }
      """;

  private static final String FAN =
      """
      graph fan {
        channel items append of text
        start plan
        node plan { kind function function "plan" fan_out "spread" -> [task] }
        node task { kind function function "task" argument int }
      }
      """;

  private interface Run {
    Object once() throws InterruptedException;
  }

  /// The least bytes for each unit of a run, over several: other threads can only add to it.
  private static double allocated(Run run, int units) throws InterruptedException {
    var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    for (int i = 0; i < WARM_RUNS; i++) run.once();
    long least = Long.MAX_VALUE;
    for (int i = 0; i < RUNS; i++) {
      long before = threads.getTotalThreadAllocatedBytes();
      assertThat(run.once()).isNotNull();
      least = Math.min(least, threads.getTotalThreadAllocatedBytes() - before);
    }
    return (double) least / units;
  }

  @Test
  void a_superstep_of_a_text_allocates_what_one_from_java_does() throws Exception {
    var options = RunOptions.defaults().stepLimit(STEPS + 1);
    var java =
        Graph.named("loop")
            .channels(N)
            .node("count", (state, _) -> Update.of(N, state.get(N) + 1))
            .edge(START, "count")
            .route("count", state -> state.get(N) < STEPS ? "count" : END, "count", END)
            .compile();
    var text =
        new Bench()
            .channel(N)
            .function("count", (state, _) -> Update.of(N, state.get(N) + 1))
            .router("again", state -> state.get(N) < STEPS ? "count" : "END")
            .graph(LOOP);
    var input = Input.of(N, 0L);
    assertThat(Bench.end(text.run(input, options)).get(N)).isEqualTo(STEPS);
    double fromJava = allocated(() -> java.invoke(input, options), STEPS);
    double fromText = allocated(() -> text.run(input, options), STEPS);
    System.out.printf("long: W1 %.1f B from Java, %.1f B from text%n", fromJava, fromText);
    assertThat(fromText).isLessThanOrEqualTo(fromJava * 1.02 + 8);
  }

  @Test
  void a_task_that_a_text_sends_allocates_what_one_from_java_does() throws Exception {
    var java =
        Graph.named("fan")
            .channels(ITEMS)
            .node("plan", (_, _) -> NodeResult.nothing())
            .node(TASK, (_, _, _) -> Update.of(ITEMS, "something"))
            .edge(START, "plan")
            .fanOut("plan", _ -> sends(), TASK)
            .edge("task", END)
            .compile();
    var text =
        new Bench()
            .channel(ITEMS)
            .function("plan", (_, _) -> NodeResult.nothing())
            .sent("task", (_, _, _) -> Update.of(ITEMS, "something"))
            .router("spread", _ -> sends())
            .graph(FAN);
    var options = RunOptions.defaults();
    assertThat(Bench.end(text.run(Input.none(), options)).get(ITEMS)).hasSize(STEPS);
    double fromJava = allocated(() -> java.invoke(Input.none(), options), STEPS);
    double fromText = allocated(() -> text.run(Input.none(), options), STEPS);
    System.out.printf("long: W2 %.1f B from Java, %.1f B from text%n", fromJava, fromText);
    assertThat(fromText).isLessThanOrEqualTo(fromJava * 1.05 + 16);
  }

  private static List<Send<?>> sends() {
    var sends = new ArrayList<Send<?>>(STEPS);
    for (long i = 0; i < STEPS; i++) sends.add(Send.to(TASK, i));
    return sends;
  }
}
