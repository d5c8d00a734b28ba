package dev.superstep.bench.jmh;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;

import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.graph.Graph;
import dev.superstep.graph.RunOptions;
import dev.superstep.node.Question;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome;
import dev.superstep.state.Channel;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/// Threads in memory: to the question and on with the answer.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class Threads {
  private static final Channel<Long, Long> N = Channel.latest("n", Long.class);
  private static final Question<Long, Long> MORE = Question.of("more", Long.class, Long.class);

  private final Graph graph =
      Graph.named("parked")
          .channels(N)
          .questions(MORE)
          .node(
              "ask",
              (state, context) ->
                  Update.of(N, state.get(N) + context.interrupt(MORE, state.get(N))))
          .edge(START, "ask")
          .route("ask", state -> state.get(N) < 0 ? END : "ask", "ask", END)
          .compile();
  private final Graph once =
      Graph.named("once")
          .channels(N)
          .questions(MORE)
          .node(
              "ask",
              (state, context) ->
                  Update.of(N, state.get(N) + context.interrupt(MORE, state.get(N))))
          .edge(START, "ask")
          .edge("ask", END)
          .compile();

  private InMemoryCheckpointer store = new InMemoryCheckpointer();
  private RunOptions asked = RunOptions.defaults();
  private int threads;

  /// A store is for one iteration, so that memory does not run out.
  @Setup(Level.Iteration)
  public void begin() throws InterruptedException {
    store = new InMemoryCheckpointer();
    threads = 0;
    asked = RunOptions.thread("asked").checkpoints(store);
    graph.invoke(Input.of(N, 0L), asked);
  }

  /// A new thread, until it waits for its answer.
  @Benchmark
  public Outcome park() throws InterruptedException {
    return once.invoke(Input.of(N, 0L), RunOptions.thread("t" + threads++).checkpoints(store));
  }

  /// An answer, until the next question.
  @Benchmark
  public Outcome resume() throws InterruptedException {
    return graph.resume(Answers.to(MORE, 1L), asked);
  }
}
