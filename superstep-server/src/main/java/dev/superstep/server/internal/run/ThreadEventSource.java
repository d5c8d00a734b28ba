package dev.superstep.server.internal.run;

import dev.superstep.server.internal.http.Frame;
import dev.superstep.server.internal.http.FrameSource;
import dev.superstep.server.internal.http.Granted;
import dev.superstep.server.internal.wire.ProtocolEvent;
import dev.superstep.server.internal.wire.Trees;
import dev.superstep.service.Document;
import dev.superstep.service.DocumentKind;
import dev.superstep.service.LogEntry;
import dev.superstep.service.ServiceStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;

/// The events of a thread for one client, over all its runs and whichever process works on them. It
/// never ends by itself, and waits for a thread that is still to be made. For one thread.
public final class ThreadEventSource implements FrameSource {
  private static final int PAGE = 500;

  // Where a signal is missed, as while a database restarts.
  private static final Duration LOOK = Duration.ofSeconds(2);

  private final ServiceStore documents;
  private final Reader reader;
  private final Predicate<JsonNode> wanted;
  private final ServiceStore.Watch events;
  private final ServiceStore.Watch made;
  private OptionalLong after;
  private boolean isFollowed;
  private boolean isGone;

  /// The thread of a client, and what it may see of it.
  public record Reader(String thread, Granted granted) {
    boolean sees(Document known) {
      return granted.sees(ThreadDocuments.metadata(known));
    }
  }

  ThreadEventSource(
      ServiceStore documents, Reader reader, OptionalLong after, Predicate<JsonNode> wanted) {
    this.documents = documents;
    this.reader = reader;
    this.after = after;
    this.wanted = wanted;
    this.events = documents.watch(ThreadEvents.log(reader.thread()));
    this.made = documents.watch(ThreadDocuments.topic(reader.thread()));
  }

  /// Begins to follow the thread, if it is there: what happens from now on is told.
  ///
  /// @return the place after which it is told
  public long follow() {
    if (!isFollowed && isThere()) {
      documents.write(in -> {
        ThreadEvents.keep(in, reader.thread());
        return true;
      });
      isFollowed = true;
    }
    if (after.isEmpty() && isFollowed) {
      after = OptionalLong.of(documents.read(in -> ThreadEvents.begin(in, reader.thread())));
    }
    return after.orElse(0);
  }

  private boolean isThere() {
    return documents
        .read(in -> in.find(DocumentKind.THREAD, reader.thread()))
        .filter(reader::sees)
        .isPresent();
  }

  @Override
  public List<Frame> next(Duration most) throws InterruptedException {
    long end = System.nanoTime() + most.toNanos();
    while (true) {
      var frames = frames();
      if (!frames.isEmpty()) return frames;
      long left = end - System.nanoTime();
      if (left <= 0) return List.of();
      var pause = Duration.ofNanos(Math.min(left, LOOK.toNanos()));
      var _ = isFollowed ? events.await(pause) : made.await(pause);
    }
  }

  private List<Frame> frames() {
    var frames = new ArrayList<Frame>();
    while (frames.isEmpty()) {
      long from = follow();
      if (!isFollowed) return List.of();
      var page = documents.read(in -> in.entries(ThreadEvents.log(reader.thread()), from, PAGE));
      if (page.isEmpty()) return List.of();
      for (var entry : page) add(entry, frames);
      after = OptionalLong.of(page.getLast().offset());
    }
    return frames;
  }

  private void add(LogEntry entry, List<Frame> frames) {
    var stored = Trees.of(entry.value());
    if (!wanted.test(stored)) return;
    var shown = ProtocolEvent.shown(stored, entry.offset());
    frames.add(
        new Frame(
            shown.path("event_id").asString(""),
            shown.path("method").asString(""),
            shown.toString()));
  }

  @Override
  public boolean isOver() {
    return isGone;
  }

  @Override
  public void close(boolean isComplete) {
    isGone = true;
    events.close();
    made.close();
  }
}
