package dev.superstep.journal;

import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.CheckpointerCapability;
import dev.superstep.checkpoint.CheckpointerCapability.EventJournal;
import dev.superstep.checkpoint.Entry;
import dev.superstep.checkpoint.EntryFilter;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.event.Event;
import dev.superstep.event.Origin;
import dev.superstep.json.Codec;
import dev.superstep.json.Json;
import dev.superstep.node.Sleeper;
import java.io.IOException;
import java.io.Writer;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;

/// Reads the events that runs published about a thread, from the first to the newest, from any
/// process. A run writes a journal if its options say so. Immutable; safe for many threads.
///
/// ```java
/// var journal = ThreadJournal.of(store, "t-42").only(EntryFilter.all().kinds("node.finished"));
/// for (var entry : journal) System.out.println(entry.offset() + " " + entry.node());
/// try (var tail = journal.tail(journal.lastOffset())) {
///   for (var entry : tail) System.out.println(entry.offset() + " " + entry.node());
/// }
/// ```
///
/// @see dev.superstep.graph.RunOptions#journal()
public final class ThreadJournal implements Iterable<Entry> {
  private static final Codec<Event> EVENT = Codec.of(Event.class);
  private static final Codec<Origin> ORIGIN = Codec.of(Origin.class);
  private static final Codec<Map<String, Json>> PARTS = Codec.mapOf(Json.class);

  private final EventJournal store;
  private final String thread;
  private final EntryFilter filter;
  private final Sleeper sleeper;

  private ThreadJournal(EventJournal store, String thread, EntryFilter filter, Sleeper sleeper) {
    this.store = store;
    this.thread = thread;
    this.filter = filter;
    this.sleeper = sleeper;
  }

  /// The journal of a thread; empty if none was written.
  ///
  /// @throws dev.superstep.checkpoint.MissingCapability if the store keeps no journals
  public static ThreadJournal of(Checkpointer store, String thread) {
    var name = Lineage.of(thread).thread();
    var journal = CheckpointerCapability.required(store, EventJournal.class, "Reading a journal");
    return new ThreadJournal(journal, name, EntryFilter.all(), Sleeper.system());
  }

  /// Returns a copy that reads only the entries that the filter wants.
  public ThreadJournal only(EntryFilter wanted) {
    return new ThreadJournal(store, thread, wanted, sleeper);
  }

  /// Returns a copy whose tails wait with this sleeper.
  public ThreadJournal sleeper(Sleeper waiting) {
    return new ThreadJournal(store, thread, filter, waiting);
  }

  /// The thread.
  public String thread() {
    return thread;
  }

  /// The filter of the entries to read.
  public EntryFilter filter() {
    return filter;
  }

  /// Entries in order, at most `limit`.
  ///
  /// @param after the offset that was read last, or 0
  public List<Entry> entries(long after, int limit) {
    return store.entries(thread, after, limit, filter);
  }

  /// The offset of the last entry, wanted or not; or 0.
  public long lastOffset() {
    return store.lastOffset(thread);
  }

  /// All entries until there are no more. It reads page by page.
  @Override
  public Iterator<Entry> iterator() {
    return new Entries(cursor(0));
  }

  /// Follows the journal.
  ///
  /// @param after the offset that was read last, or 0 to begin with what is there
  public JournalTail tail(long after) {
    return new JournalTail(cursor(after), sleeper);
  }

  /// All entries that stand, without the void ones: those that a task published before its node was
  /// tried again, failed, asked or died with its process, and those of a task that has not finished
  /// yet.
  ///
  /// @see Event#isProvisional
  public Iterable<Entry> settled() {
    return () -> new SettledEvents(new Cursor(store, thread, EntryFilter.all(), 0), filter);
  }

  /// The event of an entry. Its sequence is the offset: it counts the events of the thread.
  ///
  /// @throws dev.superstep.json.MalformedJson if this version knows no such event
  public static Event event(Entry entry) {
    var parts = new LinkedHashMap<>(PARTS.decode(entry.event()));
    parts.computeIfPresent("origin", (_, origin) -> numbered(origin, entry.offset()));
    return EVENT.decode(PARTS.encode(parts));
  }

  private static Json numbered(Json origin, long offset) {
    return ORIGIN.encode(ORIGIN.decode(origin).numbered(offset));
  }

  /// Writes each entry as one line of JSON, which [Entry] can be read from. The writer is flushed,
  /// and stays open.
  ///
  /// @return the offset up to which the journal was written, from which a later export continues
  public long exportTo(Writer out) throws IOException {
    return exportTo(out, 0);
  }

  /// Exports the entries after an offset.
  ///
  /// @param after the offset that was written last
  public long exportTo(Writer out, long after) throws IOException {
    var cursor = cursor(after);
    for (var entry = cursor.next(); entry != null; entry = cursor.next()) {
      out.write(Json.of(entry).text());
      out.write('\n');
    }
    out.flush();
    return cursor.offset();
  }

  /// Applies a projection to the whole journal.
  public <T> ProjectionResult<T> project(Projection<T> projection) {
    return continued(projection, projection.initial(), 0);
  }

  /// Applies a projection, continuing from a cached result where that is still valid: if it was
  /// made by this version of the projection, of this thread, with this filter.
  ///
  /// @param cached what [ProjectionResult#json] gave
  /// @throws dev.superstep.json.MalformedJson if that is something else
  public <T> ProjectionResult<T> project(Projection<T> projection, Json cached) {
    var before = cached.as(ProjectionResult.Cached.class);
    if (!before.isOf(projection, this) || !isThere(before.offset(), before.last())) {
      return project(projection);
    }
    return continued(projection, projection.codec().decode(before.value()), before.offset());
  }

  private <T> ProjectionResult<T> continued(Projection<T> projection, T from, long after) {
    var value = from;
    var cursor = cursor(after);
    for (var entry = cursor.next(); entry != null; entry = cursor.next()) {
      value = projection.fold(value, entry);
    }
    long offset = cursor.offset();
    return new ProjectionResult<>(projection, value, thread, filter, offset, idAt(offset));
  }

  /// Returns whether the journal has grown since this result was made, or its thread was deleted.
  public boolean isStale(ProjectionResult<?> projected) {
    return lastOffset() != projected.offset() || !isThere(projected.offset(), projected.last());
  }

  /// Returns whether this is still the journal that had the entry at this offset, rather than that
  /// of a thread of the same name that began after it was deleted. An entry that was itself deleted
  /// proves nothing.
  private boolean isThere(long offset, String id) {
    if (offset > lastOffset()) return false;
    var here = idAt(offset);
    return here.isEmpty() || id.isEmpty() || here.equals(id);
  }

  private String idAt(long offset) {
    if (offset == 0) return "";
    var at = store.entries(thread, offset - 1, 1, EntryFilter.all());
    return at.isEmpty() || at.getFirst().offset() != offset ? "" : at.getFirst().id();
  }

  private Cursor cursor(long after) {
    if (after < 0) throw new IllegalArgumentException("after must not be negative, was " + after);
    return new Cursor(store, thread, filter, after);
  }

  private record Entries(Cursor cursor) implements Iterator<Entry> {
    @Override
    public boolean hasNext() {
      return cursor.peek() != null;
    }

    @Override
    public Entry next() {
      var entry = cursor.next();
      if (entry == null) throw new NoSuchElementException("the journal has no more entries");
      return entry;
    }
  }

  @Override
  public String toString() {
    return "ThreadJournal[" + thread + "]";
  }
}
