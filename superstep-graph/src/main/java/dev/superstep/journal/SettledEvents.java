package dev.superstep.journal;

import dev.superstep.checkpoint.Entry;
import dev.superstep.checkpoint.EntryFilter;
import dev.superstep.event.Event;
import dev.superstep.json.Codec;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Holds back the events of a task until it is known whether they stand. It holds no more events
/// than the journal has since the first event of the oldest task at work. One thread at a time.
final class SettledEvents implements Iterator<Entry> {
  private static final Codec<Event> EVENT = Codec.of(Event.class);

  private final Cursor cursor;
  private final EntryFilter filter;
  private final ArrayDeque<PendingEntry> pending = new ArrayDeque<>();
  private final Map<RunningTask, List<PendingEntry>> open = new HashMap<>();

  /// A task at work in a run.
  private record RunningTask(String run, List<String> path, String task) {
    static RunningTask of(Event.OfNode event) {
      return new RunningTask(event.origin().run(), event.origin().path(), event.task());
    }
  }

  private enum Fate {
    OPEN,
    STANDS,
    VOID
  }

  private static final class PendingEntry {
    private final Entry entry;
    private Fate fate;

    PendingEntry(Entry entry, Fate fate) {
      this.entry = entry;
      this.fate = fate;
    }
  }

  SettledEvents(Cursor cursor, EntryFilter filter) {
    this.cursor = cursor;
    this.filter = filter;
  }

  @Override
  public boolean hasNext() {
    return settled() != null;
  }

  @Override
  public Entry next() {
    var next = settled();
    if (next == null) throw new NoSuchElementException("the journal has no more entries");
    pending.poll();
    return next.entry;
  }

  /// The next one that stands, which stays where it is; null at the end.
  private @Nullable PendingEntry settled() {
    while (true) {
      var first = pending.peek();
      if (first == null || first.fate == Fate.OPEN) {
        if (!read()) return null;
      } else if (first.fate == Fate.VOID || !filter.wants(first.entry)) {
        pending.poll();
      } else {
        return first;
      }
    }
  }

  /// @return false at the end of everything
  private boolean read() {
    var entry = cursor.next();
    if (entry != null) {
      add(entry, EVENT.decode(entry.event()));
      return true;
    }
    settle(_ -> true, Fate.VOID);
    return !pending.isEmpty();
  }

  private void add(Entry entry, Event event) {
    if (event.isProvisional() && event instanceof Event.OfNode of) {
      var told = new PendingEntry(entry, Fate.OPEN);
      pending.add(told);
      open.computeIfAbsent(RunningTask.of(of), _ -> new ArrayList<>()).add(told);
      return;
    }
    pending.add(new PendingEntry(entry, Fate.STANDS));
    var run = event.origin().run();
    switch (event) {
      case Event.NodeFinished e -> settle(RunningTask.of(e)::equals, Fate.STANDS);
      case Event.NodeFailed e -> settle(RunningTask.of(e)::equals, Fate.VOID);
      case Event.NodeRetried e -> {
        // If only a step is retried, the node continues.
        if (e.point().isEmpty()) settle(RunningTask.of(e)::equals, Fate.VOID);
      }
      case Event.RunStarted _ -> settle(work -> !work.run().equals(run), Fate.VOID);
      case Event.RunCompleted _, Event.RunInterrupted _, Event.RunStopped _, Event.RunFailed _ ->
          settle(work -> work.run().equals(run), Fate.VOID);
      case Event _ -> {}
    }
  }

  private void settle(Predicate<RunningTask> which, Fate fate) {
    var all = open.entrySet().iterator();
    while (all.hasNext()) {
      var work = all.next();
      if (!which.test(work.getKey())) continue;
      for (var told : work.getValue()) told.fate = fate;
      all.remove();
    }
  }
}
