package dev.superstep.server.internal.run;

import dev.superstep.json.Json;
import dev.superstep.server.internal.queue.LogBatch;
import dev.superstep.server.internal.queue.StoredFrame;
import dev.superstep.server.internal.wire.stream.ProtocolEvent;
import dev.superstep.server.internal.wire.stream.RunFrame;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.node.JsonNodeFactory;

/// Holds the stream of a run to its quota: what is beyond is not saved, and an error says so in its
/// place, as the last event. For one thread at a time.
final class EventQuota {
  private static final String ERROR = "error";

  private final long most;
  private long written;
  private boolean isRefused;

  EventQuota(long most) {
    this.most = most;
  }

  /// Counts what an earlier worker of the run has saved.
  void count(List<Json> saved) {
    for (var entry : saved) {
      written += bytes(entry);
      // A run that is still to end has no other error.
      isRefused |= StoredFrame.of(entry).event().equals(ERROR);
    }
  }

  /// The entries that are to be saved. Of the events of the thread, those that clients wait for are
  /// saved in any case.
  LogBatch within(LogBatch batch) {
    var events = new ArrayList<Json>();
    for (var event : batch.events()) {
      written += bytes(event);
      if (written <= most || ProtocolEvent.isAwaited(event)) events.add(event);
    }
    return new LogBatch(frames(batch.frames()), events);
  }

  private List<Json> frames(List<Json> frames) {
    var within = new ArrayList<Json>();
    for (var frame : frames) {
      if (isRefused) break;
      written += bytes(frame);
      isRefused = written > most;
      within.add(isRefused ? LogBatch.entry(refusal()) : frame);
    }
    return within;
  }

  private RunFrame refusal() {
    var data = JsonNodeFactory.instance.objectNode();
    data.put("error", "StreamTooLong");
    data.put(
        "message",
        ("The events of this run have more than %,d bytes, so no more are kept. The run goes on;"
                + " its state can be read from its thread.")
            .formatted(most));
    return new RunFrame(ERROR, data);
  }

  private static long bytes(Json entry) {
    return entry.text().getBytes(StandardCharsets.UTF_8).length;
  }
}
