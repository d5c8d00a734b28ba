package dev.superstep.event;

import dev.superstep.checkpoint.Activation;
import dev.superstep.checkpoint.TaskRecord;
import dev.superstep.checkpoint.TaskRecord.End;
import dev.superstep.checkpoint.TaskRecord.SavedWrite;
import dev.superstep.json.Json;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;

/// Removes the parts of an event that may not be stored. It returns an event of the same kind,
/// about the same node, task and run, so that what happened, and when, can be followed whatever is
/// left out. Free of side effects. Where a redaction throws, [#payloads] is used instead.
@FunctionalInterface
public interface Redaction {
  /// The text that replaces what is left out.
  String REDACTED = "[redacted]";

  /// Returns the event as it may be stored.
  Event of(Event event);

  /// Keeps everything.
  static Redaction none() {
    return event -> event;
  }

  /// Leaves out everything that programs, models and people said or wrote: values, arguments,
  /// texts, questions, answers, labels and messages of errors. Ids, names, kinds and times stay.
  static Redaction payloads() {
    return payloads(Set.of());
  }

  /// Returns a redaction like [#payloads] that leaves these labels in, since the program itself
  /// sets them to values that may be known.
  static Redaction payloads(Set<String> labels) {
    var kept = Set.copyOf(labels);
    return event -> withoutPayload(event, kept);
  }

  private static Event withoutPayload(Event event, Set<String> kept) {
    var at = origin(event.origin(), kept);
    return switch (event) {
      case Event.RunStarted e -> new Event.RunStarted(at, e.resumed());
      case Event.StepStarted e -> new Event.StepStarted(at, e.nodes(), e.restored());
      case Event.NodeSkipped e -> new Event.NodeSkipped(at, e.node(), e.task(), e.gate());
      case Event.NodeStarted e ->
          new Event.NodeStarted(at, e.node(), e.task(), activation(e.activation()));
      case Event.NodeCached e ->
          new Event.NodeCached(at, e.node(), e.task(), activation(e.activation()));
      case Event.NodeFinished e ->
          new Event.NodeFinished(at, e.node(), e.task(), e.channels(), e.took());
      case Event.NodeRetried e -> retried(at, e);
      case Event.NodeFailed e -> new Event.NodeFailed(at, e.node(), e.task(), REDACTED, e.then());
      case Event.NodeEmitted e -> new Event.NodeEmitted(at, e.node(), e.task(), e.name(), hidden());
      case Event.SubgraphStarted e -> new Event.SubgraphStarted(at, e.task());
      case Event.SubgraphCompleted e -> new Event.SubgraphCompleted(at, e.task());
      case Event.ContextForked e -> new Event.ContextForked(at, e.node(), e.task(), e.fork());
      case Event.ContextJoined e ->
          new Event.ContextJoined(at, e.node(), e.task(), e.fork(), e.how(), e.took());
      case Event.PieceArrived e ->
          new Event.PieceArrived(at, e.node(), e.task(), e.attempt(), e.channel(), hidden());
      case Event.TextArrived e -> {
        var piece = e.piece();
        var text = new TextPiece(piece.agent(), piece.model(), piece.call(), REDACTED);
        yield new Event.TextArrived(at, e.node(), e.task(), e.attempt(), text);
      }
      case Event.InterruptRaised e ->
          new Event.InterruptRaised(at, e.interrupt().withPayload(hidden()));
      case Event.InterruptAnswered e -> new Event.InterruptAnswered(at, e.interrupt(), hidden());
      case Event.MatrixObserved e ->
          new Event.MatrixObserved(
              at, e.node(), e.task(), e.signal(), e.cValue(), e.completion(), e.converged());
      case Event.MatrixRouted e -> new Event.MatrixRouted(at, e.node(), e.router(), e.chosen());
      case Event.MatrixFailed e -> new Event.MatrixFailed(at, e.node(), e.during(), REDACTED);
      case Event.StepFinished e ->
          new Event.StepFinished(at, e.checkpoint(), e.changed(), e.next());
      case Event.StateUpdated e ->
          new Event.StateUpdated(at, e.checkpoint(), e.nodes(), e.changed(), e.next());
      case Event.ThreadForked e -> new Event.ThreadForked(at, e.from(), e.older(), e.checkpoint());
      case Event.StateValues e -> {
        var values = new LinkedHashMap<String, Json>();
        e.values().keySet().forEach(name -> values.put(name, hidden()));
        yield new Event.StateValues(at, e.checkpoint(), values);
      }
      case Event.NodeUpdated e -> new Event.NodeUpdated(at, e.node(), e.task(), writes(e.writes()));
      case Event.TaskStarted e ->
          new Event.TaskStarted(
              at, e.node(), e.task(), activation(e.activation()), e.argument().map(_ -> hidden()));
      case Event.TaskRestored e ->
          new Event.TaskRestored(at, e.node(), e.task(), writes(e.writes()));
      case Event.TaskEnded e ->
          new Event.TaskEnded(at, e.node(), e.task(), end(e.end()), e.attempts(), e.took());
      case Event.CheckpointSaved e ->
          new Event.CheckpointSaved(at, e.checkpoint(), e.parent(), e.source(), e.next());
      case Event.RoutesSelected e -> new Event.RoutesSelected(at, e.nodes(), e.edges());
      case Event.EventsDropped e -> new Event.EventsDropped(at, e.count());
      case Event.RunCompleted _ -> new Event.RunCompleted(at);
      case Event.RunInterrupted e -> new Event.RunInterrupted(at, e.interrupts());
      case Event.RunStopped e -> new Event.RunStopped(at, e.reason());
      case Event.RunFailed e -> new Event.RunFailed(at, e.code(), REDACTED);
    };
  }

  private static Event retried(Origin at, Event.NodeRetried e) {
    var delay = e.delay();
    return new Event.NodeRetried(
        at, e.node(), e.task(), e.point(), e.attempt(), e.most(), delay, REDACTED, e.rule());
  }

  private static Json hidden() {
    return Json.string(REDACTED);
  }

  private static Origin origin(Origin at, Set<String> kept) {
    if (at.labels().isEmpty()) return at;
    var labels = new LinkedHashMap<String, String>();
    at.labels().forEach((name, label) -> labels.put(name, kept.contains(name) ? label : REDACTED));
    return at.labelled(labels);
  }

  private static Activation activation(Activation because) {
    return because instanceof Activation.Resumed(var asked, var channels)
        ? new Activation.Resumed(asked.withPayload(hidden()), channels)
        : because;
  }

  private static List<SavedWrite> writes(List<SavedWrite> writes) {
    return writes.stream()
        .<SavedWrite>map(write ->
            switch (write) {
              case SavedWrite.Put put -> new SavedWrite.Put(put.channel(), hidden());
              case SavedWrite.Overwrite o -> new SavedWrite.Overwrite(o.channel(), hidden());
              case SavedWrite.Remove remove -> new SavedWrite.Remove(remove.channel(), REDACTED);
            })
        .toList();
  }

  private static TaskRecord.End end(TaskRecord.End end) {
    return switch (end) {
      case End.Finished finished -> finished(finished);
      case End.HandedOff handed ->
          new End.HandedOff(
              handed.levels(), writes(handed.kept()), finished(handed.command()), handed.left());
      case End.Waiting(var asked) ->
          new End.Waiting(asked.stream().map(one -> one.withPayload(hidden())).toList());
      case End.Failed failed -> new End.Failed(failed.code(), REDACTED);
    };
  }

  private static End.Finished finished(End.Finished end) {
    return new End.Finished(
        writes(end.writes()),
        end.gotos(),
        end.sends().stream().map(send -> send.with(hidden())).toList(),
        end.signal(),
        end.asked().map(one -> one.withPayload(hidden())),
        end.left());
  }
}
