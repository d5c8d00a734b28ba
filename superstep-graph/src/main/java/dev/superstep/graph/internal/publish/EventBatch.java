package dev.superstep.graph.internal.publish;

import dev.superstep.checkpoint.Entry;
import dev.superstep.event.Detail;
import dev.superstep.event.Event;
import dev.superstep.event.Origin;
import dev.superstep.graph.internal.kernel.EventSink;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Events to publish once something is saved; a journal saves them in the same transaction. One
/// thread at a time.
public final class EventBatch implements EventSink {
  private final EventPublisher publisher;
  private List<PendingEvent> all = List.of();
  private boolean provisional;

  private record PendingEvent(@Nullable Detail detail, int step, Function<Origin, Event> fact) {}

  public EventBatch(EventPublisher publisher) {
    this.publisher = publisher;
  }

  @Override
  public boolean hasListeners() {
    return publisher.hasListeners();
  }

  @Override
  public boolean isWanted(Detail detail) {
    return publisher.isWanted(detail);
  }

  @Override
  public void publish(@Nullable Detail detail, int step, Function<Origin, Event> fact) {
    if (all.isEmpty()) all = new ArrayList<>(2);
    all.add(new PendingEvent(detail, step, fact));
  }

  /// It as entries of a journal; details are not among them.
  public List<Entry> entries(JournalSink journal) {
    var entries = new ArrayList<Entry>(all.size());
    for (var event : all) {
      if (event.detail() != null) continue;
      entries.add(journal.entry(publisher.unnumbered(event.step(), event.fact())));
    }
    return entries;
  }

  /// The sink of the journal that the events go to, or null if there is none.
  public @Nullable JournalSink journal() {
    return publisher.journal();
  }

  /// Marks the events as provisional: what they are about is saved later.
  public void provisional() {
    provisional = true;
  }

  /// Marks the events as safe after all.
  public void safe() {
    provisional = false;
  }

  /// Publishes the batch at once, since nothing is saved.
  ///
  /// @param isInsideKept whether it is a part of something that is still to be saved
  public void publishUnsaved(boolean isInsideKept) {
    if (isInsideKept) provisional = true;
    var journal = publisher.journal();
    if (journal != null) appendTo(journal);
    publish();
  }

  /// It is saved elsewhere than the journal, which gets it with the next thing that is saved there.
  public void appendTo(JournalSink journal) {
    for (var event : all) {
      if (event.detail() == null) journal.add(publisher.unnumbered(event.step(), event.fact()));
    }
  }

  /// Publishes the batch, which is saved.
  public void publish() {
    for (var event : all)
      publisher.publish(event.detail(), event.step(), event.fact(), provisional);
  }
}
