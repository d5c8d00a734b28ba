package dev.superstep.server.internal.wire.stream;

import dev.superstep.checkpoint.TaskRecord.End;
import dev.superstep.event.Event;
import dev.superstep.event.Origin;
import dev.superstep.server.internal.wire.InterruptJson;
import dev.superstep.server.internal.wire.StateJson;
import dev.superstep.server.internal.wire.Trees;
import dev.superstep.server.internal.wire.WireIds;
import tools.jackson.databind.node.ObjectNode;

/// The frames about tasks. For one run and one thread.
final class TaskFrames {
  private final RunContext run;
  private final StreamPlaces places;
  private final CheckpointFrames checkpoints;

  TaskFrames(RunContext run, StreamPlaces places, CheckpointFrames checkpoints) {
    this.run = run;
    this.places = places;
    this.checkpoints = checkpoints;
  }

  void started(Event.TaskStarted event, FrameList frames) {
    var json = Trees.object().put("id", WireIds.task(event.task())).put("name", event.node());
    if (event.argument().isPresent()) json.set("input", Trees.of(event.argument().get()));
    else json.set("input", checkpoints.values(event.origin().path()));
    var triggers = json.putArray("triggers");
    var place = places.task(event.task());
    if (place != null) place.triggers().forEach(triggers::add);
    json.putArray("interrupts");
    add(event.origin(), "task", json, frames);
  }

  void ended(Event.TaskEnded event, FrameList frames) {
    var wire = places.wire(event.origin().path());
    if (wire.isEmpty()) return;
    var json = Trees.object().put("id", WireIds.task(event.task())).put("name", event.node());
    var interrupts = StateJson.interrupts(java.util.List.of());
    switch (event.end()) {
      case End.Finished end -> {
        var update = wire.get().update(end.writes());
        json.set("result", update.isNull() ? Trees.object() : update);
        if (end.asked().isPresent()) interrupts.add(InterruptJson.of(end.asked().get()));
      }
      case End.HandedOff end -> {
        var update = wire.get().update(end.kept());
        json.set("result", update.isNull() ? Trees.object() : update);
      }
      case End.Waiting(var questions) -> {
        json.putObject("result");
        interrupts = StateJson.interrupts(questions);
      }
      case End.Failed(_, var message) -> json.put("error", message);
    }
    json.set("interrupts", interrupts);
    add(event.origin(), "task_result", json, frames);
  }

  private void add(Origin origin, String type, ObjectNode json, FrameList frames) {
    frames.add(StreamMode.TASKS, json);
    if (frames.has(StreamMode.DEBUG)) {
      frames.add(StreamMode.DEBUG, CheckpointFrames.debug(origin, type, run.step(origin), json));
    }
  }
}
