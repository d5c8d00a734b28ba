package dev.superstep.server.internal.queue;

import dev.superstep.json.Json;
import dev.superstep.server.internal.wire.Trees;
import dev.superstep.server.internal.wire.stream.ProtocolEvent;
import dev.superstep.server.internal.wire.stream.RunFrame;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.node.JsonNodeFactory;

/// Entries that are saved together: for the stream of a run, and for the events of its thread.
/// Immutable.
public record LogBatch(List<Json> frames, List<Json> events) {
  public static final LogBatch NONE = new LogBatch(List.of(), List.of());

  public LogBatch {
    frames = List.copyOf(frames);
    events = List.copyOf(events);
  }

  public static LogBatch of(List<RunFrame> frames, List<ProtocolEvent> events) {
    var ofRun = new ArrayList<Json>();
    for (var frame : frames) ofRun.add(entry(frame));
    return new LogBatch(ofRun, stored(events));
  }

  public static List<Json> stored(List<ProtocolEvent> events) {
    return events.stream().map(ProtocolEvent::stored).toList();
  }

  public static Json entry(RunFrame frame) {
    var entry = JsonNodeFactory.instance.objectNode();
    entry.put("event", frame.event());
    entry.set("data", frame.data());
    return Trees.json(entry, "event");
  }

  public boolean isEmpty() {
    return frames.isEmpty() && events.isEmpty();
  }

  /// Both, one after the other.
  public LogBatch and(LogBatch later) {
    var allFrames = new ArrayList<>(frames);
    allFrames.addAll(later.frames);
    var allEvents = new ArrayList<>(events);
    allEvents.addAll(later.events);
    return new LogBatch(allFrames, allEvents);
  }
}
