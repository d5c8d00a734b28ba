package dev.superstep.journal;

import dev.superstep.checkpoint.CheckpointerCapability.EventJournal;
import dev.superstep.checkpoint.Entry;
import dev.superstep.checkpoint.EntryFilter;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/// A position in a journal, which advances page by page. One thread at a time.
final class Cursor {
  private static final int PAGE = 256;

  private final EventJournal store;
  private final String thread;
  private final EntryFilter filter;
  private final ArrayDeque<Entry> page = new ArrayDeque<>();
  private long passed;
  private long end;

  /// @param after the offset that was read last, or 0
  Cursor(EventJournal store, String thread, EntryFilter filter, long after) {
    this.store = store;
    this.thread = thread;
    this.filter = filter;
    this.passed = after;
  }

  /// The next entry, which stays where it is; null if there is none now.
  @Nullable Entry peek() {
    if (page.isEmpty()) read();
    return page.peek();
  }

  /// The next entry, or null if there is none now.
  @Nullable Entry next() {
    var entry = peek();
    page.poll();
    return entry;
  }

  /// All that is wanted up to here was given out.
  long offset() {
    var next = page.peek();
    return next == null ? passed : next.offset() - 1;
  }

  private void read() {
    // Asked first: what is there up to this offset can be read, so a short page has passed it; and
    // where nothing is new, nothing that is not wanted is passed over again.
    long last = store.lastOffset(thread);
    if (last < end) passed = 0;
    end = last;
    if (last <= passed) return;
    var entries = store.entries(thread, passed, PAGE, filter);
    page.addAll(entries);
    long read = entries.isEmpty() ? 0 : entries.getLast().offset();
    passed = entries.size() < PAGE ? Math.max(last, read) : read;
  }
}
