package dev.superstep.server.internal.run;

import dev.superstep.event.Event;
import dev.superstep.run.ThreadState;
import dev.superstep.server.internal.documents.RunStatus;
import dev.superstep.server.internal.queue.LogBatch;
import dev.superstep.server.internal.queue.RunEnd;
import dev.superstep.server.internal.wire.stream.ProtocolEvents;
import dev.superstep.server.internal.wire.stream.RunFrames;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The forms in which a run is told: the stream of the run, and the events of its thread if
/// somebody follows these. For one run and one thread.
///
/// @param events null if nobody follows the thread
record RunTranscript(RunFrames frames, @Nullable ProtocolEvents events) {
  void begin(ThreadState state) {
    frames.begin(state);
    if (events != null) events.begin(state);
  }

  /// The start of the run.
  ///
  /// @param answers the questions that it answers by their ids
  LogBatch start(List<String> answers) {
    return LogBatch.of(frames.start(), events == null ? List.of() : events.start(answers));
  }

  LogBatch of(Event event) {
    return LogBatch.of(frames.of(event), events == null ? List.of() : events.of(event));
  }

  LogBatch failed(Throwable error) {
    return LogBatch.of(frames.failed(error), List.of());
  }

  /// The end of the run, for those who follow its thread.
  LogBatch end(RunEnd end) {
    if (events == null) return LogBatch.NONE;
    return LogBatch.of(List.of(), events.end(end.lifecycle(), end.reason()));
  }

  /// The end of a run of which nothing is left.
  LogBatch rolledBack() {
    if (events == null) return LogBatch.NONE;
    return LogBatch.of(List.of(), events.end(RunStatus.INTERRUPTED, Optional.empty()));
  }
}
