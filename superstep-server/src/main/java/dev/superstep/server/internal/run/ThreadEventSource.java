package dev.superstep.server.internal.run;

import dev.superstep.server.internal.http.Frame;
import dev.superstep.server.internal.http.FrameSource;
import dev.superstep.server.internal.wire.Trees;
import dev.superstep.server.internal.wire.stream.ProtocolEvent;
import dev.superstep.server.internal.wire.stream.ProtocolFilter;
import dev.superstep.service.LogEntry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// The events of a thread that one client wants. Never ends by itself. For one thread.
public final class ThreadEventSource implements FrameSource {
  private final ThreadEventReader reader;
  private final ProtocolFilter filter;
  private boolean isGone;

  public ThreadEventSource(ThreadEventReader reader, ProtocolFilter filter) {
    this.reader = reader;
    this.filter = filter;
  }

  @Override
  public List<Frame> next(Duration most) throws InterruptedException {
    long end = System.nanoTime() + most.toNanos();
    while (true) {
      long left = end - System.nanoTime();
      var entries = left <= 0 ? List.<LogEntry>of() : reader.await(Duration.ofNanos(left));
      if (entries.isEmpty()) return List.of();
      var frames = frames(entries);
      if (!frames.isEmpty()) return frames;
    }
  }

  private List<Frame> frames(List<LogEntry> entries) {
    var frames = new ArrayList<Frame>();
    for (var entry : entries) {
      var stored = Trees.of(entry.value());
      if (!filter.accepts(stored)) continue;
      var shown = ProtocolEvent.shown(stored, entry.offset());
      var id = shown.path("event_id").asString("");
      frames.add(new Frame(id, shown.path("method").asString(""), shown.toString()));
    }
    return frames;
  }

  @Override
  public boolean isOver() {
    return isGone;
  }

  @Override
  public void close(boolean isComplete) {
    isGone = true;
    reader.close();
  }
}
