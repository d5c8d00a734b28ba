package dev.superstep.example.guide.cookbook.graphs;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;

import dev.superstep.graph.Graph;
import dev.superstep.graph.RunOptions;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome.Completed;
import dev.superstep.state.Channel;
import dev.superstep.store.jdbc.SqliteCheckpointer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// A process that dies in the midst of its work, and one that resumes it.
public final class Crash {
  static final Channel<List<String>, String> DONE = Channel.append("done", String.class);

  private Crash() {}

  static Graph graph(boolean dies) {
    return Graph.named("order")
        .channels(DONE)
        .node("pay", (_, _) -> Update.of(DONE, "paid by process " + (dies ? 1 : 2)))
        .node("ship", (_, _) -> ship(dies))
        .edge(START, "pay")
        .edge("pay", "ship")
        .edge("ship", END)
        .compile();
  }

  private static Update ship(boolean dies) {
    if (dies) Runtime.getRuntime().halt(1); // as by kill -9: nothing is cleaned up
    return Update.of(DONE, "shipped by process 2");
  }

  public static void main(String[] args) throws IOException, InterruptedException {
    boolean isFirst = args.length > 0;
    Path file = isFirst ? Path.of(args[0]) : Files.createTempDirectory("crash").resolve("t.db");
    if (!isFirst) System.out.println("process 1 ended with " + run(file));
    try (var store = SqliteCheckpointer.open(file)) {
      var options = RunOptions.thread("order-17").checkpoints(store);
      var end =
          isFirst
              ? graph(true).invoke(Input.none(), options)
              : graph(false).resume(Answers.none(), options);
      if (end instanceof Completed(var state)) System.out.println(state.get(DONE));
    }
  }

  private static int run(Path file) throws IOException, InterruptedException {
    var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    var classes = System.getProperty("java.class.path");
    return new ProcessBuilder(java, "-cp", classes, Crash.class.getName(), file.toString())
        .redirectError(ProcessBuilder.Redirect.DISCARD)
        .start()
        .waitFor();
  }
}
