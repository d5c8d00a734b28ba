package dev.superstep.store.crash;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;

import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.ThreadBusy;
import dev.superstep.graph.Graph;
import dev.superstep.graph.RunOptions;
import dev.superstep.node.NodeContext;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome;
import dev.superstep.state.Channel;
import dev.superstep.test.kills.Notes;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/// A graph of three nodes; in the second one something happens to the store, after a side effect
/// was kept. Notes what ran.
///
/// @param weight how many characters the second node adds, which have to fit in the store
record FaultyGraph(Notes notes, int weight, Trouble trouble) {
  private static final Channel<List<String>, String> LOG = Channel.append("log", String.class);
  private static final Duration LEASE = Duration.ofMillis(200);

  /// What happens.
  interface Trouble {
    void begin() throws Exception;
  }

  /// The same, and nothing happens.
  FaultyGraph calm() {
    return new FaultyGraph(notes, weight, () -> {});
  }

  private Graph graph() {
    return Graph.named("trouble")
        .channels(LOG)
        .node("first", (_, _) -> did("first"))
        .node("trouble", (_, context) -> troubled(context))
        .node("last", (_, _) -> did("last"))
        .edge(START, "first")
        .edge("first", "trouble")
        .edge("trouble", "last")
        .edge("last", END)
        .compile();
  }

  private NodeResult did(String node) {
    notes.add(node);
    return Update.of(LOG, node);
  }

  private NodeResult troubled(NodeContext context) throws Exception {
    context.step(
        "pay",
        Integer.class,
        () -> {
          notes.add("paid");
          return 1;
        });
    trouble.begin();
    return Update.of(LOG, "trouble" + "!".repeat(weight));
  }

  private static RunOptions on(Checkpointer store) {
    return RunOptions.thread("t").checkpoints(store).lease(LEASE);
  }

  /// Runs the thread from its beginning.
  String told(Checkpointer store) throws InterruptedException {
    return text(graph().invoke(Input.none(), on(store)));
  }

  /// Goes on as soon as the lease of the run that could not give it back is over.
  String resumed(Checkpointer store) throws InterruptedException {
    while (true) {
      try {
        return text(graph().resume(Answers.none(), on(store)));
      } catch (ThreadBusy _) {
        LockSupport.parkNanos(LEASE.dividedBy(10).toNanos());
      }
    }
  }

  private static String text(Outcome outcome) {
    return switch (outcome) {
      case Outcome.Completed(var end) ->
          "completed " + String.join(", ", end.get(LOG)).replace("!", "");
      case Outcome.Interrupted _, Outcome.Stopped _ ->
          throw new IllegalStateException("nobody asked for " + outcome);
    };
  }
}
