package dev.superstep.server.internal.api.studio;

import dev.superstep.checkpoint.Entry;
import dev.superstep.journal.JournalTail;
import dev.superstep.server.internal.http.Frame;
import dev.superstep.server.internal.http.FrameSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// The journal of a thread as server-sent events, for as long as the client listens.
final class JournalFrames implements FrameSource {
  private static final int AT_ONCE_MOST = 500;

  private final JournalTail tail;

  JournalFrames(JournalTail tail) {
    this.tail = tail;
  }

  @Override
  public List<Frame> next(Duration most) throws InterruptedException {
    var frames = new ArrayList<Frame>();
    var first = tail.poll(most);
    while (first.isPresent()) {
      frames.add(frame(first.get()));
      if (frames.size() == AT_ONCE_MOST) break;
      first = tail.poll(Duration.ZERO);
    }
    return frames;
  }

  private static Frame frame(Entry entry) {
    return new Frame(Long.toString(entry.offset()), entry.kind(), entry.event().text());
  }

  /// A thread may always get a further run.
  @Override
  public boolean isOver() {
    return false;
  }

  @Override
  public void close(boolean isComplete) {
    tail.close();
  }
}
