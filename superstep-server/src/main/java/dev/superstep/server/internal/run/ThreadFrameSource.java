package dev.superstep.server.internal.run;

import dev.superstep.server.internal.documents.RunDocuments;
import dev.superstep.server.internal.documents.ThreadDocuments;
import dev.superstep.server.internal.http.Frame;
import dev.superstep.server.internal.http.FrameSource;
import dev.superstep.server.internal.wire.stream.StreamMode;
import dev.superstep.service.Document;
import dev.superstep.service.DocumentKind;
import dev.superstep.service.DocumentQuery;
import dev.superstep.service.ServiceStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The streams of all runs of a thread, one after the other, for one client; it never ends by
/// itself. For one thread.
final class ThreadFrameSource implements FrameSource {
  private static final Duration LOOK = Duration.ofSeconds(2);

  private final ServiceStore documents;
  private final ActiveLogs logs;
  private final String thread;
  private final Set<StreamMode> modes;
  private final ServiceStore.Watch watch;
  // Of the run whose stream was read last.
  private Instant seen;
  private String seenRun = "";
  private @Nullable RunFrameSource current;
  private boolean isGone;

  /// @param after the id of the last event that the client has; empty for what comes from now on
  ThreadFrameSource(
      ServiceStore documents,
      ActiveLogs logs,
      String thread,
      Optional<String> after,
      Set<StreamMode> modes) {
    this.documents = documents;
    this.logs = logs;
    this.thread = thread;
    this.modes = modes;
    this.watch = documents.watch(ThreadDocuments.topic(thread));
    this.seen = documents.read(in -> in.now());
    after.ifPresent(this::beginAfter);
    if (current == null && after.isEmpty()) beginAtWork();
  }

  /// Begins in the middle of a run, as `run/offset` says; at the first run for any other id.
  private void beginAfter(String id) {
    int slash = id.lastIndexOf('/');
    var offset =
        slash < 0 ? Optional.<Long>empty() : RunFrameSource.offset(id.substring(slash + 1));
    var run =
        offset.isEmpty()
            ? Optional.<Document>empty()
            : documents.read(in -> in.find(DocumentKind.RUN, id.substring(0, slash)));
    if (run.filter(known -> known.parent().equals(thread)).isPresent()) {
      open(run.get(), offset.get());
    } else {
      seen = Instant.EPOCH;
    }
  }

  private void beginAtWork() {
    var active = documents.read(in -> ThreadDocuments.active(in, thread));
    if (active.isEmpty()) return;
    var first = active.getFirst();
    open(first, documents.read(in -> in.lastOffset(RunDocuments.log(first.id()))));
  }

  private void open(Document run, long offset) {
    seen = run.created();
    seenRun = run.id();
    current =
        new RunFrameSource(
            documents,
            logs,
            new RunFrameSource.Place(run.id(), offset, run.id() + "/"),
            event -> StreamFilter.isWanted(event, modes),
            () -> {});
  }

  @Override
  public List<Frame> next(Duration most) throws InterruptedException {
    long end = System.nanoTime() + most.toNanos();
    while (true) {
      long left = end - System.nanoTime();
      if (left <= 0) return List.of();
      if (current == null && !openNext()) {
        var _ = watch.await(Duration.ofNanos(Math.min(left, LOOK.toNanos())));
        continue;
      }
      var source = current;
      if (source == null) continue;
      var frames = source.next(Duration.ofNanos(left));
      if (!frames.isEmpty()) return frames;
      if (source.isOver()) {
        source.close(true);
        current = null;
      }
    }
  }

  private boolean openNext() {
    var runs =
        documents.read(in ->
            in.search(
                DocumentQuery.of(DocumentKind.RUN)
                    .under(thread)
                    .by(DocumentQuery.Order.CREATED, false)));
    for (var run : runs) {
      boolean isLater =
          run.created().isAfter(seen)
              || (run.created().equals(seen) && run.id().compareTo(seenRun) > 0);
      if (isLater) {
        open(run, 0);
        return true;
      }
    }
    return false;
  }

  @Override
  public boolean isOver() {
    return isGone;
  }

  @Override
  public void close(boolean isComplete) {
    isGone = true;
    watch.close();
    if (current != null) current.close(true);
  }
}
