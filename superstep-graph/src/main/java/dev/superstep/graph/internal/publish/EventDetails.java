package dev.superstep.graph.internal.publish;

import dev.superstep.checkpoint.Checkpoint;
import dev.superstep.event.Detail;
import dev.superstep.event.Event;
import dev.superstep.event.Origin;
import dev.superstep.graph.internal.kernel.CheckpointCodec;
import dev.superstep.graph.internal.kernel.EngineLog;
import dev.superstep.graph.internal.kernel.EventSink;
import dev.superstep.graph.internal.kernel.Kernel;
import dev.superstep.graph.internal.kernel.RunIdentity;
import dev.superstep.graph.internal.kernel.Snapshot;
import dev.superstep.graph.internal.kernel.Task;
import dev.superstep.graph.internal.kernel.TaskResult;
import dev.superstep.graph.internal.kernel.WriteCodec;
import dev.superstep.graph.internal.kernel.WriteCodec.ValueForm;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/// Publishes the details that listeners requested beyond the usual events, and builds none of them
/// otherwise. A value that cannot be written as JSON costs its event, never the run.
public final class EventDetails {
  private EventDetails() {}

  /// A task begins.
  public static void started(EventSink sink, int step, Task task) {
    publish(
        sink,
        Detail.TASKS,
        step,
        () -> {
          var due = task.due().stored();
          return o ->
              new Event.TaskStarted(o, task.node(), task.id(), due.activation(), due.argument());
        });
  }

  /// A task has ended, and that is saved.
  public static void ended(EventSink sink, int step, Task task, TaskResult ended) {
    if (ended instanceof TaskResult.Finished finished && finished.isFollowed())
      updated(sink, step, task, finished);
    publish(
        sink,
        Detail.TASKS,
        step,
        () -> {
          var end = CheckpointCodec.end(ended, ValueForm.TEXT);
          int attempts = task.attempts();
          return o ->
              new Event.TaskEnded(o, task.node(), task.id(), end, attempts, task.duration());
        });
  }

  /// A task had finished in an earlier run.
  public static void restored(EventSink sink, int step, Task task, TaskResult.Finished finished) {
    publish(
        sink,
        Detail.TASKS,
        step,
        () -> {
          var writes = WriteCodec.encode(finished.writes(), ValueForm.TEXT);
          return o -> new Event.TaskRestored(o, task.node(), task.id(), writes);
        });
  }

  private static void updated(EventSink sink, int step, Task task, TaskResult.Finished finished) {
    publish(
        sink,
        Detail.UPDATES,
        step,
        () -> {
          var writes = WriteCodec.encode(finished.writes(), ValueForm.TEXT);
          return o -> new Event.NodeUpdated(o, task.node(), task.id(), writes);
        });
  }

  /// A superstep, or input, was folded, and that is saved.
  public static void folded(
      EventSink sink, RunIdentity scope, Snapshot before, Snapshot next, Checkpoint.Source source) {
    if (scope.isPersistent()) saved(sink, before, next, source);
    values(sink, scope, next);
  }

  private static void saved(
      EventSink sink, Snapshot before, Snapshot next, Checkpoint.Source source) {
    publish(
        sink,
        Detail.CHECKPOINTS,
        next.step(),
        () -> {
          var parent = Optional.of(before.position().checkpoint()).filter(id -> !id.isEmpty());
          var id = next.position().checkpoint();
          var due = next.position().due().stream().map(d -> d.node().name()).toList();
          return o -> new Event.CheckpointSaved(o, id, parent, source, due);
        });
  }

  /// Publishes the routing after a superstep, or input, which is saved, and the reasons.
  public static void routed(
      EventSink sink, Kernel.Applied applied, Supplier<RoutingExplainer> explaining) {
    // A listener that came after the decision gets the next one.
    if (applied.reasons().isEmpty()) return;
    publish(
        sink,
        Detail.ROUTES,
        applied.next().step(),
        () -> {
          var explainer = explaining.get();
          return o -> new Event.RoutesSelected(o, explainer.nodes(), explainer.edges());
        });
  }

  /// Publishes the state from which a run continues.
  public static void values(EventSink sink, RunIdentity scope, Snapshot at) {
    publish(
        sink,
        Detail.VALUES,
        at.step(),
        () -> {
          var checkpoint = scope.isPersistent() ? at.position().checkpoint() : "";
          var values = CheckpointCodec.values(at);
          return o -> new Event.StateValues(o, checkpoint, values);
        });
  }

  /// @param building encodes, so it runs before the order of events is taken
  private static void publish(
      EventSink sink, Detail detail, int step, Supplier<Function<Origin, Event>> building) {
    if (!sink.isWanted(detail)) return;
    Function<Origin, Event> fact;
    try {
      fact = building.get();
    } catch (RuntimeException | StackOverflowError e) {
      var what = "An event for " + detail + " could not be made.";
      EngineLog.warn(what, e);
      return;
    }
    sink.publish(detail, step, fact);
  }
}
