package dev.superstep.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.checkpoint.Interrupt;
import dev.superstep.error.InvalidUse;
import dev.superstep.error.NodeFailed;
import dev.superstep.event.Event;
import dev.superstep.json.SuperstepException;
import dev.superstep.node.Ids;
import dev.superstep.run.Outcome;
import dev.superstep.state.State;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/// Short ways to say what tests of the engine need.
final class Runs {
  private Runs() {}

  static State completed(Outcome outcome) {
    assertThat(outcome).isInstanceOf(Outcome.Completed.class);
    return ((Outcome.Completed) outcome).state();
  }

  static List<Interrupt> asked(Outcome outcome) {
    assertThat(outcome).isInstanceOf(Outcome.Interrupted.class);
    return ((Outcome.Interrupted) outcome).questions();
  }

  /// A new thread in a new store in memory.
  static RunOptions kept() {
    return RunOptions.thread("t").checkpoints(new InMemoryCheckpointer());
  }

  static <E extends Throwable> E thrown(Class<E> type, ThrowingCallable call) {
    var error = catchThrowableOfType(type, call);
    assertThat(error).as("something was thrown").isNotNull();
    return error;
  }

  /// Expects an [InvalidUse] for this reason, or an error that it caused.
  static Consumer<Throwable> invalid(InvalidUse.Reason reason) {
    return error -> {
      var cause = error;
      while (cause instanceof NodeFailed) cause = cause.getCause();
      assertThat(cause).isInstanceOf(InvalidUse.class);
      assertThat(((InvalidUse) cause).reason()).isEqualTo(reason);
    };
  }

  /// `id-1`, `id-2`, ...
  static Ids countingIds() {
    var count = new AtomicLong();
    return () -> "id-" + count.incrementAndGet();
  }

  /// The events' kinds, with the node for those of a node.
  static List<String> kinds(List<Event> events) {
    return events.stream().map(Runs::kind).toList();
  }

  private static String kind(Event event) {
    return switch (event) {
      case Event.StateUpdated e -> "state.updated " + e.nodes();
      case Event.ThreadForked _ -> "thread.forked";
      case Event.RunStarted e -> e.resumed() ? "run.resumed" : "run.started";
      case Event.StepStarted e -> "step.started " + e.nodes();
      case Event.NodeSkipped e -> "node.skipped " + e.node();
      case Event.NodeStarted e -> "node.started " + e.node();
      case Event.NodeCached e -> "node.cached " + e.node();
      case Event.NodeFinished e -> "node.finished " + e.node();
      case Event.NodeRetried e -> "node.retried " + e.node() + " " + e.attempt();
      case Event.NodeFailed e -> "node.failed " + e.node();
      case Event.NodeEmitted e -> "node.emitted " + e.name();
      case Event.TextArrived e -> "text.arrived " + e.piece().text();
      case Event.PieceArrived e -> "piece.arrived " + e.channel() + " " + e.piece();
      case Event.SubgraphStarted e -> "subgraph.started " + e.origin().path();
      case Event.SubgraphCompleted e -> "subgraph.completed " + e.origin().path();
      case Event.ContextForked e -> "context.forked " + e.node();
      case Event.ContextJoined e -> "context.joined " + e.node() + " " + e.how();
      case Event.InterruptRaised e -> "interrupt.raised " + e.interrupt().node();
      case Event.InterruptAnswered _ -> "interrupt.answered";
      case Event.MatrixObserved e -> "matrix.observed " + e.node();
      case Event.MatrixRouted e -> "matrix.routed " + e.router() + " " + e.chosen();
      case Event.MatrixFailed e -> "matrix.failed " + e.during();
      case Event.StepFinished e -> "step.finished " + e.next();
      case Event.StateValues e -> "state.values " + e.values();
      case Event.NodeUpdated e -> "node.updated " + e.node();
      case Event.TaskStarted e -> "task.started " + e.node();
      case Event.TaskRestored e -> "task.restored " + e.node();
      case Event.TaskEnded e -> "task.ended " + e.node();
      case Event.CheckpointSaved e -> "checkpoint.saved " + e.source();
      case Event.RoutesSelected _ -> "routes.selected";
      case Event.EventsDropped e -> "events.dropped " + e.count();
      case Event.RunCompleted _ -> "run.completed";
      case Event.RunInterrupted e -> "run.interrupted " + e.interrupts().size();
      case Event.RunStopped _ -> "run.stopped";
      case Event.RunFailed e -> "run.failed " + e.code();
    };
  }

  /// The failure of the node at which the graphs inside of each other failed.
  static RuntimeException innermost(NodeFailed failed) {
    var at = failed;
    while (at.getCause() instanceof NodeFailed inner) at = inner;
    return at.getCause() instanceof SuperstepException inner ? inner : at;
  }
}
