package dev.superstep.server.internal.run;

import dev.superstep.server.internal.documents.RunDocuments;
import dev.superstep.server.internal.documents.RunStatus;
import dev.superstep.server.internal.http.Frame;
import dev.superstep.server.internal.http.FrameSource;
import dev.superstep.server.internal.queue.StoredFrame;
import dev.superstep.service.DocumentKind;
import dev.superstep.service.LogEntry;
import dev.superstep.service.ServiceStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The stream of a run for one client: from this process if it works on the run, else from the
/// store, as the run's process saves it. For one thread.
final class RunFrameSource implements FrameSource {
  // Where a signal is missed, as while a database restarts.
  private static final Duration LOOK = Duration.ofSeconds(2);

  private final ServiceStore documents;
  private final ActiveLogs logs;
  private final String run;
  private final Predicate<String> wanted;
  private final Runnable abandoned;
  private final String prefix;
  private final LogPage page = new LogPage();
  private long offset;
  private boolean isOver;
  private ServiceStore.@Nullable Watch watch;

  /// @param place where to begin, and how events are named
  /// @param wanted tells by the name of an event whether the client gets it
  /// @param abandoned called if the client leaves before the end
  RunFrameSource(
      ServiceStore documents,
      ActiveLogs logs,
      Place place,
      Predicate<String> wanted,
      Runnable abandoned) {
    this.documents = documents;
    this.logs = logs;
    this.run = place.run();
    this.offset = place.offset();
    this.prefix = place.prefix();
    this.wanted = wanted;
    this.abandoned = abandoned;
  }

  /// A place in the stream of a run.
  ///
  /// @param offset of the last event that the client has, or 0
  /// @param prefix of the ids of events
  record Place(String run, long offset, String prefix) {}

  @Override
  public List<Frame> next(Duration most) throws InterruptedException {
    long end = System.nanoTime() + most.toNanos();
    while (true) {
      var frames = frames(page.first(read()));
      if (!frames.isEmpty() || isOver) return frames;
      long left = end - System.nanoTime();
      if (left <= 0) return List.of();
      await(Duration.ofNanos(Math.min(left, LOOK.toNanos())));
    }
  }

  private List<Frame> frames(List<LogEntry> entries) {
    var frames = new ArrayList<Frame>();
    for (var entry : entries) {
      offset = entry.offset();
      var stored = StoredFrame.of(entry.value());
      if (!wanted.test(stored.event())) continue;
      frames.add(new Frame(prefix + (entry.offset() - 1), stored.event(), stored.data()));
    }
    return frames;
  }

  private List<LogEntry> read() {
    var local = logs.find(run);
    if (local.isPresent()) {
      boolean wasEnded = local.get().isEnded();
      boolean wasOver = local.get().isOver();
      var here = local.get().after(offset);
      if (here.isPresent() && (!here.get().isEmpty() || !wasOver || wasEnded)) {
        isOver = here.get().isEmpty() && wasEnded;
        return here.get();
      }
    } else if (watch == null) {
      watch = documents.watch(RunDocuments.log(run));
    }
    return documents.read(in -> {
      var entries = in.entries(RunDocuments.log(run), offset, page.length());
      if (entries.isEmpty()) {
        isOver =
            in.find(DocumentKind.RUN, run)
                .filter(known -> RunStatus.isActive(known.status()))
                .isEmpty();
      }
      return entries;
    });
  }

  private void await(Duration most) throws InterruptedException {
    var local = logs.find(run);
    if (local.isPresent() && !local.get().isOver()) {
      var _ = local.get().await(offset, most);
    } else if (watch != null) {
      var _ = watch.await(most);
    } else {
      watch = documents.watch(RunDocuments.log(run));
    }
  }

  @Override
  public boolean isOver() {
    return isOver;
  }

  @Override
  public void close(boolean isComplete) {
    if (watch != null) watch.close();
    if (!isComplete) abandoned.run();
  }

  /// The offset of what a client says that it has read last.
  ///
  /// @param id as in `Last-Event-ID`
  /// @return 0 for the start; empty if the id is of no stream
  static Optional<Long> offset(String id) {
    try {
      long counted = Long.parseLong(id.strip());
      return counted < -1 ? Optional.empty() : Optional.of(counted + 1);
    } catch (NumberFormatException _) {
      return Optional.empty();
    }
  }
}
