package dev.superstep.server.internal.run;

import dev.superstep.json.Json;
import dev.superstep.server.internal.wire.ProtocolEvent;
import dev.superstep.server.internal.wire.RunFrame;
import dev.superstep.server.internal.wire.Trees;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.node.JsonNodeFactory;

/// Entries that are saved together: for the stream of a run, and for the events of its thread.
/// Immutable.
record LogBatch(List<Json> frames, List<Json> events) {
  static final LogBatch NONE = new LogBatch(List.of(), List.of());

  LogBatch {
    frames = List.copyOf(frames);
    events = List.copyOf(events);
  }

  static LogBatch of(List<RunFrame> frames, List<ProtocolEvent> events) {
    var ofRun = new ArrayList<Json>();
    for (var frame : frames) ofRun.add(entry(frame));
    return new LogBatch(ofRun, stored(events));
  }

  static List<Json> stored(List<ProtocolEvent> events) {
    return events.stream().map(ProtocolEvent::stored).toList();
  }

  static Json entry(RunFrame frame) {
    var entry = JsonNodeFactory.instance.objectNode();
    entry.put("event", frame.event());
    entry.set("data", frame.data());
    return Trees.json(entry, "event");
  }

  boolean isEmpty() {
    return frames.isEmpty() && events.isEmpty();
  }

  /// Both, one after the other.
  LogBatch and(LogBatch later) {
    var allFrames = new ArrayList<>(frames);
    allFrames.addAll(later.frames);
    var allEvents = new ArrayList<>(events);
    allEvents.addAll(later.events);
    return new LogBatch(allFrames, allEvents);
  }
}
