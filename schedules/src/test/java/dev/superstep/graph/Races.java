package dev.superstep.graph;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.CheckpointerCapability.LeaseControl;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.graph.internal.persistence.LeaseRenewer;
import dev.superstep.node.Question;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Outcome;
import dev.superstep.schedule.Schedule;
import dev.superstep.state.Channel;
import java.time.Duration;
import java.util.List;

/// The thread of a race in its store, and what runs do with it. A scenario makes its own.
final class Races {
  static final Channel<List<String>, String> SAID = Channel.append("said", String.class);
  static final Question<String, String> WHAT = Question.of("what", String.class, String.class);

  /// Longer than any test, so that nothing is renewed but by the test.
  private static final Duration LEASE = Duration.ofHours(2);

  final InMemoryCheckpointer memory = new InMemoryCheckpointer();
  final Checkpointer store;
  final LeaseControl control;

  private final Schedule schedule;

  Races(Schedule schedule) {
    this.schedule = schedule;
    store = schedule.watched(Checkpointer.class, memory);
    control = store.capability(LeaseControl.class).orElseThrow();
  }

  RunOptions options() {
    return RunOptions.thread("t").checkpoints(store).lease(LEASE);
  }

  /// Options for the same thread without points of the schedule.
  RunOptions unwatched() {
    return RunOptions.thread("t").checkpoints(memory).lease(LEASE);
  }

  /// Renews what runs hold now, as is done by time otherwise.
  boolean renew() {
    var leases = LeaseRenewer.of(LEASE).leases();
    for (var lease : leases) {
      schedule.point("renews");
      lease.renew();
    }
    return !leases.isEmpty();
  }

  /// Nodes one after the other that say their names.
  static Graph line(String... nodes) {
    var graph = Graph.named("line").channels(SAID).questions(WHAT);
    for (var node : nodes) graph.node(node, (_, _) -> Update.of(SAID, node));
    for (int i = 1; i < nodes.length; i++) graph.edge(nodes[i - 1], nodes[i]);
    return graph.edge(START, nodes[0]).edge(nodes[nodes.length - 1], END).compile();
  }

  /// A node that asks and says the answer.
  ///
  /// @param answered called when it has the answer
  static Graph asking(Runnable answered) {
    return Graph.named("asking")
        .channels(SAID)
        .questions(WHAT)
        .node(
            "ask",
            (_, context) -> {
              var answer = context.interrupt(WHAT, "what?");
              answered.run();
              return Update.of(SAID, answer);
            })
        .edge(START, "ask")
        .edge("ask", END)
        .compile();
  }

  /// Returns the stored list; empty before the first run.
  List<String> stored(Graph graph) {
    return graph.state(unwatched()).map(state -> state.state().get(SAID)).orElse(List.of());
  }

  boolean isHeld() {
    return memory.find("t").map(thread -> thread.holder().isPresent()).orElse(false);
  }

  static List<String> said(Outcome outcome) {
    return switch (outcome) {
      case Outcome.Completed(var state) -> state.get(SAID);
      case Outcome.Stopped(_, var state) -> state.get(SAID);
      case Outcome.Interrupted(var questions) ->
          throw new AssertionError("nobody is to be asked " + questions);
    };
  }

  static void assertCancelled(Outcome.Stopped stopped) {
    assertThat(stopped.reason()).isEqualTo(Outcome.Reason.CANCELLED);
  }

  /// Has a run that ended early go on to its end.
  List<String> resumed(Graph graph) throws InterruptedException {
    return said(graph.resume(Answers.none(), unwatched()));
  }
}
