package dev.superstep.spring;

import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.Entry;
import dev.superstep.checkpoint.EntryFilter;
import dev.superstep.checkpoint.ThreadBusy;
import dev.superstep.checkpoint.ThreadQuery;
import dev.superstep.checkpoint.ThreadSummary;
import dev.superstep.event.Event;
import dev.superstep.graph.Threads;
import dev.superstep.journal.ThreadJournal;
import dev.superstep.run.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Finds the runs that a process left. The journal tells them from those that failed, wait for an
/// answer or were stopped by somebody, which must not go on by themselves.
record LeftRuns(Checkpointer store, Set<String> graphs) {
  /// Metadata of runs that work for a person. Nothing of that person is in it.
  static final String PERSONAL = "superstep.personal";

  private static final int PAGE = 100;
  private static final Duration LOOK = Duration.ofSeconds(5);
  private static final EntryFilter ENDS =
      EntryFilter.all()
          .kinds("run.started", "run.completed", "run.interrupted", "run.stopped", "run.failed");

  List<LeftRun> find(int most) {
    var left = new ArrayList<LeftRun>();
    var query = ThreadQuery.newest(Math.min(most, PAGE));
    int seen = 0;
    while (seen < most) {
      var page = Threads.in(store).list(query);
      for (var summary : page) left(summary).ifPresent(left::add);
      seen += page.size();
      if (page.size() < query.limit()) break;
      query = query.after(page.getLast().thread());
    }
    return List.copyOf(left);
  }

  Optional<LeftRun> find(String thread) {
    return Threads.in(store).find(thread).flatMap(this::left);
  }

  private Optional<LeftRun> left(ThreadSummary summary) {
    var checkpoint = summary.checkpoint();
    boolean isOurs = graphs.contains(checkpoint.graph());
    boolean hasWork = !checkpoint.progress().next().isEmpty();
    if (!isOurs || !hasWork) return Optional.empty();
    var last = lastOf(summary.thread());
    if (last == null || !isOpen(last) || !isFree(summary)) return Optional.empty();
    boolean isDrained = !(ThreadJournal.event(last) instanceof Event.RunStarted);
    boolean isPersonal = checkpoint.metadata().containsKey(PERSONAL);
    return Optional.of(
        new LeftRun(summary.thread(), checkpoint.graph(), last.run(), isDrained, isPersonal));
  }

  /// Returns whether the newest run of a thread is at work somewhere, or is to be resumed.
  boolean isOpen(String thread) {
    var last = lastOf(thread);
    return last != null && isOpen(last);
  }

  private static boolean isOpen(Entry last) {
    return switch (ThreadJournal.event(last)) {
      case Event.RunStarted _ -> true;
      case Event.RunStopped(_, var reason) -> reason.equals(Outcome.Reason.DRAINED.name());
      case Event _ -> false;
    };
  }

  /// The lease of a killed process still has time; only the store knows whether it is dead.
  private boolean isFree(ThreadSummary summary) {
    if (summary.holder().isEmpty()) return true;
    try {
      store.release(store.acquire(summary.thread(), "superstep-left-runs", LOOK));
      return true;
    } catch (ThreadBusy _) {
      return false;
    }
  }

  /// The last begin or end of a run of the thread's own graph.
  private @Nullable Entry lastOf(String thread) {
    Entry last = null;
    for (var entry : ThreadJournal.of(store, thread).only(ENDS)) {
      if (entry.path().isEmpty()) last = entry;
    }
    return last;
  }
}
