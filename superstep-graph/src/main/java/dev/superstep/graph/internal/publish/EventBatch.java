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
  private final EventPublisher announcer;
  private List<PendingEvent> all = List.of();
  private boolean provisional;

  private record PendingEvent(@Nullable Detail detail, int step, Function<Origin, Event> fact) {}

  public EventBatch(EventPublisher announcer) {
    this.announcer = announcer;
  }

  @Override
  public boolean hasListeners() {
    return announcer.hasListeners();
  }

  @Override
  public boolean isWanted(Detail detail) {
    return announcer.isWanted(detail);
  }

  @Override
  public void publish(@Nullable Detail detail, int step, Function<Origin, Event> fact) {
    if (all.isEmpty()) all = new ArrayList<>(2);
    all.add(new PendingEvent(detail, step, fact));
  }

  /// It as entries of a journal; details are not among them.
  public List<Entry> entries(JournalSink chronicle) {
    var entries = new ArrayList<Entry>(all.size());
    for (var said : all) {
      if (said.detail() != null) continue;
      entries.add(chronicle.entry(announcer.unnumbered(said.step(), said.fact())));
    }
    return entries;
  }

  /// The sink of the journal that the events go to, or null if there is none.
  public @Nullable JournalSink chronicle() {
    return announcer.chronicle();
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
    for (var said : all) {
      var chronicle = announcer.chronicle();
      if (chronicle != null && said.detail() == null) appendTo(chronicle, said);
      announcer.publish(said.detail(), said.step(), said.fact(), provisional);
    }
  }

  /// It is saved elsewhere than the journal, which gets it with the next thing that is saved there.
  public void appendTo(JournalSink chronicle) {
    for (var said : all) if (said.detail() == null) appendTo(chronicle, said);
  }

  private void appendTo(JournalSink chronicle, PendingEvent said) {
    chronicle.add(announcer.unnumbered(said.step(), said.fact()));
  }

  /// Publishes the batch, which is saved.
  public void publish() {
    for (var said : all) announcer.publish(said.detail(), said.step(), said.fact(), provisional);
  }
}
