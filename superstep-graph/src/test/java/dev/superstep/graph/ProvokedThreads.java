package dev.superstep.graph;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;

import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.graph.ErrorMessagesTest.Case;
import dev.superstep.node.NodeResult;
import dev.superstep.run.Input;
import dev.superstep.run.StateUpdate;
import dev.superstep.state.Channel;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;

/// Ways to make the errors of threads over time.
final class ProvokedThreads {
  private static final Instant NOW = Instant.parse("2026-05-01T10:00:00Z");
  private static final Channel<String, String> ONE = Channel.latest("one", String.class);

  private ProvokedThreads() {}

  static void drained() throws InterruptedException {
    var drain = new Drain();
    drain.start();
    var options = RunOptions.thread("t").checkpoints(new InMemoryCheckpointer());
    graph("triage").invoke(Input.none(), options.drain(drain));
  }

  static List<Case> all() {
    return List.of(
        new Case("somebody else is at work on a thread", ProvokedThreads::busy),
        new Case("another took the thread over", ProvokedThreads::lost),
        new Case(
            "an edit as a node that is not there",
            () -> {
              var options = RunOptions.thread("t").checkpoints(new InMemoryCheckpointer());
              graph("triage").invoke(Input.none(), options);
              graph("triage").update(options, StateUpdate.as("tirage", NodeResult.nothing()));
            }),
        new Case(
            "a copy is to have a name that is taken",
            () -> {
              var store = new InMemoryCheckpointer();
              graph("triage").invoke(Input.none(), RunOptions.thread("t").checkpoints(store));
              Threads.in(store).copy("t", "t");
            }));
  }

  private static Graph graph(String node) {
    return Graph.named("desk")
        .channels(ONE)
        .node(node, (_, _) -> NodeResult.nothing())
        .edge(START, node)
        .edge(node, END)
        .compile();
  }

  private static void busy() throws InterruptedException {
    var store = new InMemoryCheckpointer(InstantSource.fixed(NOW));
    store.acquire("t", "run 7 of process 42", Duration.ofSeconds(20));
    graph("triage").invoke(Input.none(), RunOptions.thread("t").checkpoints(store));
  }

  private static void lost() {
    var store = new InMemoryCheckpointer(InstantSource.fixed(NOW));
    var lease = store.acquire("t", "run 7 of process 42", Duration.ofSeconds(20));
    store.release(lease);
    store.acquire("t", "another", Duration.ofSeconds(20));
    store.append(lease, List.of());
  }
}
