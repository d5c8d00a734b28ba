package dev.superstep.graph;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;

import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.CheckpointerCapability;
import dev.superstep.checkpoint.ForwardingCheckpointer;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.checkpoint.ThreadQuery;
import dev.superstep.error.EffectRefused;
import dev.superstep.graph.ErrorMessagesTest.Case;
import dev.superstep.node.NodeResult;
import dev.superstep.run.Input;
import dev.superstep.run.StateUpdate;
import dev.superstep.state.Channel;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

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
            "a person refused an effect",
            () -> {
              throw new EffectRefused("pay/bank", Optional.of("Ann was meant"));
            }),
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
            }),
        new Case(
            "a store cannot list threads",
            () ->
                Threads.in(new CoreOnly(new InMemoryCheckpointer())).list(ThreadQuery.newest(1))));
  }

  /// A checkpointer with the methods that each one must have, and no more.
  private static final class CoreOnly extends ForwardingCheckpointer {
    CoreOnly(Checkpointer store) {
      super(store);
    }

    @Override
    public <C extends CheckpointerCapability> Optional<C> capability(Class<C> type) {
      return Optional.empty();
    }
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
