package dev.superstep.journal;

import dev.superstep.checkpoint.Entry;
import dev.superstep.node.Sleeper;
import java.time.Duration;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Follows a journal while it grows, whatever process writes it: each entry once, none left out. It
/// looks for new entries again and again, less often the longer there were none. For one thread,
/// but for [#close].
///
/// If the thread is deleted and begins anew, this begins again with its new journal.
public final class JournalTail implements Iterable<Entry>, AutoCloseable {
  private static final Duration PAUSE_FIRST = Duration.ofMillis(5);
  private static final Duration PAUSE_MOST = Duration.ofMillis(250);

  private final Cursor cursor;
  private final Sleeper sleeper;
  private volatile boolean closed;

  JournalTail(Cursor cursor, Sleeper sleeper) {
    this.cursor = cursor;
    this.sleeper = sleeper;
  }

  /// The next entry, or empty if none came in this time or the tail was closed.
  ///
  /// @param most how long it waits, beside reading; zero looks once
  public Optional<Entry> poll(Duration most) throws InterruptedException {
    return await(most) == null ? Optional.empty() : Optional.ofNullable(cursor.next());
  }

  /// The entries as they come. Each is given out once, however many iterators there are. It waits,
  /// and ends when the tail is closed. If the reading thread is interrupted, it ends and the thread
  /// stays interrupted.
  @Override
  public Iterator<Entry> iterator() {
    return new Entries();
  }

  /// The offset from which another tail would continue: all wanted entries up to here were
  /// returned.
  public long offset() {
    return cursor.offset();
  }

  /// Ends the waiting, within a quarter of a second.
  @Override
  public void close() {
    closed = true;
  }

  /// @param most how long, or null to wait without limit
  private @Nullable Entry await(@Nullable Duration most) throws InterruptedException {
    var left = most;
    var pause = PAUSE_FIRST;
    while (!closed) {
      var next = cursor.peek();
      if (next != null) return next;
      if (left != null && !left.isPositive()) return null;
      var time = left == null ? pause : shorter(pause, left);
      sleeper.sleep(time);
      if (left != null) left = left.minus(time);
      pause = shorter(pause.multipliedBy(2), PAUSE_MOST);
    }
    return null;
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  private final class Entries implements Iterator<Entry> {
    @Override
    public boolean hasNext() {
      try {
        return await(null) != null;
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
        return false;
      }
    }

    @Override
    public Entry next() {
      var next = hasNext() ? cursor.next() : null;
      if (next == null) throw new NoSuchElementException("the tail was closed");
      return next;
    }
  }

  @Override
  public String toString() {
    return "JournalTail[" + (closed ? "closed" : "open") + "]";
  }
}
