package dev.superstep.spring;

import dev.superstep.checkpoint.Entry;
import dev.superstep.journal.ThreadJournal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Reads from journals what clients missed because their process is gone, without what is void.
record JournalReplays(Runs runs) {
  /// The events of a run and of those after it, up to the one that is at work here.
  JournalReplay replay(String thread, EventId seen) {
    var current = runs.feeds().find(thread).map(RunFeed::run).orElse("");
    var sent = new ArrayList<SentEvent>();
    boolean isReached = false;
    long offset = 0;
    for (var entry : ThreadJournal.of(runs.store(), thread).settled()) {
      if (entry.run().equals(current)) break;
      offset = entry.offset();
      isReached = isReached || entry.run().equals(seen.run());
      if (isReached) sent(entry).ifPresent(sent::add);
    }
    if (!sent.isEmpty()) sent.addFirst(SentEvent.replay(seen.run()));
    return new JournalReplay(sent, offset);
  }

  /// The events after an offset.
  List<SentEvent> after(String thread, long offset) {
    var sent = new ArrayList<SentEvent>();
    for (var entry : ThreadJournal.of(runs.store(), thread).settled()) {
      if (entry.offset() > offset) sent(entry).ifPresent(sent::add);
    }
    return sent;
  }

  /// Returns whether the newest run of the thread is at work somewhere, or is to be resumed.
  boolean isOpen(String thread) {
    return runs.leftRuns().isOpen(thread);
  }

  private static Optional<SentEvent> sent(Entry entry) {
    var told = ClientEvents.of(ThreadJournal.event(entry));
    return told.map(event -> SentEvent.of(new EventId(entry.run(), 0), event));
  }
}
