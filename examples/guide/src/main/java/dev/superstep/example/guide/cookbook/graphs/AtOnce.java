package dev.superstep.example.guide.cookbook.graphs;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;

import dev.superstep.graph.Graph;
import dev.superstep.graph.NodePolicy;
import dev.superstep.node.Rate;
import dev.superstep.node.Send;
import dev.superstep.node.Target;
import dev.superstep.node.Update;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome.Completed;
import dev.superstep.state.Channel;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/// Calls of which at most three are made at once.
public final class AtOnce {
  static final Target<Integer> CALL = Target.of("call", Integer.class);
  static final Channel<Long, Long> DONE = Channel.sum("done");

  private final AtomicInteger running = new AtomicInteger();
  private final AtomicInteger most = new AtomicInteger();

  Graph graph() {
    var gently = NodePolicy.defaults().concurrency(3).rate(Rate.of(100, Duration.ofSeconds(1)));
    return Graph.named("calls")
        .channels(DONE)
        .node(CALL, (_, _, _) -> Update.of(DONE, call()), gently)
        .fanOut(START, _ -> calls(), CALL)
        .edge("call", END)
        .compile();
  }

  private static List<Send<?>> calls() {
    return List.copyOf(IntStream.range(0, 20).mapToObj(i -> Send.to(CALL, i)).toList());
  }

  private long call() {
    most.accumulateAndGet(running.incrementAndGet(), Math::max);
    running.decrementAndGet();
    return 1;
  }

  public static void main(String[] args) throws InterruptedException {
    var calls = new AtOnce();
    if (calls.graph().invoke(Input.none()) instanceof Completed(var state)) {
      System.out.println(state.get(DONE) + " calls");
      System.out.println("more than 3 at once: " + (calls.most.get() > 3));
    }
  }
}
