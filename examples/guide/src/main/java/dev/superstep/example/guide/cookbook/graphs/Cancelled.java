package dev.superstep.example.guide.cookbook.graphs;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;

import dev.superstep.graph.Graph;
import dev.superstep.graph.RunOptions;
import dev.superstep.graph.Threads;
import dev.superstep.node.NodeContext;
import dev.superstep.node.NodeResult;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome.Stopped;
import dev.superstep.store.jdbc.SqliteCheckpointer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;

/// A run that another process stops.
public final class Cancelled {
  private Cancelled() {}

  static Graph graph(CountDownLatch begun) {
    return Graph.named("long")
        .node("work", (_, context) -> work(context, begun))
        .edge(START, "work")
        .edge("work", END)
        .compile();
  }

  private static NodeResult work(NodeContext context, CountDownLatch begun)
      throws InterruptedException {
    begun.countDown();
    context.sleep(Duration.ofHours(1)); // blocking calls are interrupted
    return NodeResult.nothing();
  }

  public static void main(String[] args) throws Exception {
    Path file = Files.createTempDirectory("long").resolve("threads.db");
    var begun = new CountDownLatch(1);
    try (var executor = Executors.newVirtualThreadPerTaskExecutor();
        var ours = SqliteCheckpointer.open(file);
        var theirs = SqliteCheckpointer.open(file)) { // another process opens the same file
      var options = RunOptions.thread("t-1").checkpoints(ours).lease(Duration.ofSeconds(2));
      var run = executor.submit(() -> graph(begun).invoke(Input.none(), options));
      begun.await();
      System.out.println("asked: " + Threads.in(theirs).cancel("t-1"));
      if (run.get() instanceof Stopped(var reason, _)) System.out.println("stopped: " + reason);
    }
  }
}
