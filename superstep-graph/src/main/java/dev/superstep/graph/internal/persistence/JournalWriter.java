package dev.superstep.graph.internal.persistence;

import com.fasterxml.jackson.annotation.JsonTypeName;
import dev.superstep.checkpoint.CheckpointerCapability.EventJournal;
import dev.superstep.checkpoint.Entry;
import dev.superstep.checkpoint.EntryFilter;
import dev.superstep.event.Event;
import dev.superstep.event.Redaction;
import dev.superstep.event.TextPiece;
import dev.superstep.graph.internal.kernel.EngineLog;
import dev.superstep.graph.internal.publish.EventBatch;
import dev.superstep.graph.internal.publish.JournalSink;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Writes the journal of a run. An event about something saved is written with it; all others wait
/// for the next save, and go before it. Safe for many threads.
///
/// Saves do not overlap, so the journal has the order in which events were published.
public final class JournalWriter implements JournalSink {
  private static final int WAITING_MAX = 1_000;
  private static final int TEXT_MAX = 64 * 1024;

  private final Redaction redaction;
  private final WriteStrategy writes;
  private final ReentrantLock order = new ReentrantLock();
  private final List<Event> waiting = new ArrayList<>();

  /// The entries that could not be saved, which are saved before the next ones; and all entries of
  /// the last try. Both guarded by the order.
  private List<Entry> unsaved = List.of();

  private List<Entry> tried = List.of();

  /// The output of models, whose pieces are joined into one: by graph, task, attempt and call.
  private final Map<TextStream, StringBuilder> textStreams = new LinkedHashMap<>();

  private record TextStream(Event.TextArrived first) {
    private List<Object> key() {
      var piece = first.piece();
      return List.of(
          first.origin().path(), first.task(), first.attempt(), piece.call(), piece.agent());
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof TextStream speech && speech.key().equals(key());
    }

    @Override
    public int hashCode() {
      return key().hashCode();
    }
  }

  public JournalWriter(Redaction redaction, WriteStrategy writes) {
    this.redaction = redaction;
    this.writes = writes;
  }

  /// Returns whether the journal is saved in the store to which this strategy writes.
  boolean isIn(WriteStrategy others) {
    return writes.equals(others);
  }

  @Override
  public void add(Event event) {
    boolean full;
    synchronized (waiting) {
      if (event instanceof Event.TextArrived text) {
        var said = textStreams.computeIfAbsent(new TextStream(text), _ -> new StringBuilder());
        said.append(text.piece().text());
        full = said.length() > TEXT_MAX;
      } else {
        if (event instanceof Event.OfNode) endTextStreams();
        waiting.add(event);
        full = waiting.size() > WAITING_MAX;
      }
    }
    if (full) flush();
  }

  /// Saves something with its events, and with all events that wait.
  <T> T saving(@Nullable EventBatch batch, Function<List<Entry>, T> save) {
    order.lock();
    try {
      var before = unsaved();
      before.addAll(drain());
      var entries = new ArrayList<>(before);
      if (batch != null) entries.addAll(batch.entries(this));
      unsaved = before;
      tried = entries;
      var result = save.apply(entries);
      // A refused write has saved nothing.
      if (!Boolean.FALSE.equals(result)) unsaved = List.of();
      return result;
    } finally {
      order.unlock();
    }
  }

  /// Returns the entries that are still to be saved after a failure. A store may have failed after
  /// it had saved them.
  private List<Entry> unsaved() {
    return new ArrayList<>(unsaved.isEmpty() || areNewest(tried) ? List.of() : unsaved);
  }

  private boolean areNewest(List<Entry> entries) {
    // Other writes fail when they are made, which is later, and for good.
    if (writes.isLate()) return false;
    var journal = writes.store().capability(EventJournal.class).orElseThrow();
    var thread = writes.direct().lease().thread();
    long from = journal.lastOffset(thread) - entries.size();
    if (from < 0) return false;
    var newest = journal.entries(thread, from, entries.size(), EntryFilter.all());
    return newest.stream()
        .map(Entry::event)
        .toList()
        .equals(entries.stream().map(Entry::event).toList());
  }

  @Override
  public void flush() {
    saving(
        null,
        entries -> {
          writes.append(entries);
          return true;
        });
  }

  @Override
  public Entry entry(Event event) {
    return entryOf(redacted(event));
  }

  /// An event as an entry of a journal, which numbers it.
  public static Entry entryOf(Event event) {
    var at = event.origin();
    var node = event instanceof Event.OfNode of ? of.node() : "";
    return new Entry(0, at.at(), at.run(), at.graph(), at.path(), node, kind(event), event.json());
  }

  private Event redacted(Event event) {
    try {
      return redaction.of(event);
    } catch (RuntimeException e) {
      EngineLog.warn("A redaction threw; nothing said is kept instead.", e);
      return Redaction.payloads().of(event);
    }
  }

  public static String kind(Event event) {
    return event.getClass().getAnnotation(JsonTypeName.class).value();
  }

  private List<Entry> drain() {
    var events = new ArrayList<Event>();
    synchronized (waiting) {
      endTextStreams();
      events.addAll(waiting);
      waiting.clear();
    }
    var entries = new ArrayList<Entry>(events.size());
    for (var event : events) entries.add(entry(event));
    return entries;
  }

  private void endTextStreams() {
    textStreams.forEach((speech, text) -> {
      var said = speech.first();
      var of = said.piece();
      var piece = new TextPiece(of.agent(), of.model(), of.call(), text.toString());
      waiting.add(
          new Event.TextArrived(said.origin(), said.node(), said.task(), said.attempt(), piece));
    });
    textStreams.clear();
  }
}
