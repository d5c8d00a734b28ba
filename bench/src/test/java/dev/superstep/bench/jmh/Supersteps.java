package dev.superstep.bench.jmh;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;

import dev.superstep.graph.Graph;
import dev.superstep.graph.RunOptions;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Send;
import dev.superstep.node.Target;
import dev.superstep.node.Update;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome;
import dev.superstep.state.Channel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/// Whole supersteps, kept nowhere and watched by nobody. What a run costs once is spread over its
/// steps.
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class Supersteps {
  private static final int STEPS = 1_000;
  private static final int SENDS = 100;
  private static final Channel<Long, Long> N = Channel.latest("n", Long.class);
  private static final Channel<List<String>, String> ITEMS = Channel.append("items", String.class);
  private static final Target<Integer> TASK = Target.of("task", Integer.class);

  private final RunOptions options = RunOptions.defaults().stepLimit(STEPS + 1);
  private final Graph counting =
      Graph.named("counting")
          .channels(N)
          .node("count", (state, _) -> Update.of(N, state.get(N) + 1))
          .edge(START, "count")
          .route("count", state -> state.get(N) < STEPS ? "count" : END, "count", END)
          .compile();
  private final Graph appending =
      Graph.named("appending")
          .channels(ITEMS)
          .node("say", (_, _) -> Update.of(ITEMS, "something"))
          .edge(START, "say")
          .route("say", state -> state.get(ITEMS).size() < STEPS ? "say" : END, "say", END)
          .compile();
  private final Graph fanning = fanning(SENDS);
  private final Graph sending = fanning(STEPS);

  /// One superstep of one task, which writes one number.
  @Benchmark
  @OperationsPerInvocation(STEPS)
  public Outcome sequentialSuperstep() throws InterruptedException {
    return counting.invoke(Input.of(N, 0L), options);
  }

  /// One superstep of one task, which appends to a list that grows to a thousand items.
  @Benchmark
  @OperationsPerInvocation(STEPS)
  public Outcome appendingSuperstep() throws InterruptedException {
    return appending.invoke(Input.none(), options);
  }

  /// A sent task of a thousand, with its part of the run.
  @Benchmark
  @OperationsPerInvocation(STEPS)
  public Outcome send() throws InterruptedException {
    return sending.invoke(Input.none());
  }

  /// A whole run that sends a hundred arguments.
  @Benchmark
  public Outcome fanOutOf100() throws InterruptedException {
    return fanning.invoke(Input.none());
  }

  private static Graph fanning(int count) {
    return Graph.named("fanning")
        .channels(ITEMS)
        .node("plan", (_, _) -> NodeResult.nothing())
        .node(TASK, (_, _, _) -> Update.of(ITEMS, "something"))
        .edge(START, "plan")
        .fanOut("plan", _ -> sends(count), TASK)
        .edge("task", END)
        .compile();
  }

  private static List<Send<?>> sends(int count) {
    var sends = new ArrayList<Send<?>>(count);
    for (int i = 0; i < count; i++) sends.add(Send.to(TASK, i));
    return sends;
  }
}
