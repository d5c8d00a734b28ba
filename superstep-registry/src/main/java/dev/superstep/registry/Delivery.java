package dev.superstep.registry;

import dev.superstep.event.Backlog;
import dev.superstep.registry.BusEvent.Payload;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/// Which events a listener of an [EventBus] hears, and in what form. Immutable; each method returns
/// a changed copy.
///
/// ```java
/// Delivery.of(BusFilter.kind("registry")).backlog(Backlog.blocking()).redact(Delivery::namesOnly)
/// ```
public final class Delivery {
  private final BusFilter filter;
  private final Backlog backlog;
  private final List<Function<BusEvent, Optional<BusEvent>>> transforms;
  private final UnaryOperator<BusEvent> redaction;
  private final boolean required;

  private Delivery(
      BusFilter filter,
      Backlog backlog,
      List<Function<BusEvent, Optional<BusEvent>>> transforms,
      UnaryOperator<BusEvent> redaction,
      boolean required) {
    this.filter = filter;
    this.backlog = backlog;
    this.transforms = List.copyOf(transforms);
    this.redaction = redaction;
    this.required = required;
  }

  /// Events that a filter chooses, the oldest lost if 1,024 are unread.
  public static Delivery of(BusFilter filter) {
    return new Delivery(
        filter, Backlog.droppingOldest(), List.of(), UnaryOperator.identity(), false);
  }

  /// A [#redact]ion that leaves nothing but names, ids, levels and tags.
  public static BusEvent namesOnly(BusEvent event) {
    return event.withPayload(new Payload.Withheld());
  }

  /// With another limit, and another thing that happens when it is reached. If that is a failure,
  /// who publishes gets it.
  public Delivery backlog(Backlog newBacklog) {
    return new Delivery(filter, newBacklog, transforms, redaction, required);
  }

  /// With each event changed by this, after those that were added before; empty leaves it out.
  public Delivery transform(Function<BusEvent, Optional<BusEvent>> transform) {
    var more = new ArrayList<>(transforms);
    more.add(transform);
    return new Delivery(filter, backlog, more, redaction, required);
  }

  /// With only what this leaves of each event, after all transforms. Where it throws, the listener
  /// gets [#namesOnly].
  public Delivery redact(UnaryOperator<BusEvent> newRedaction) {
    return new Delivery(filter, backlog, transforms, newRedaction, required);
  }

  /// To a listener that must hear. It hears on the thread that publishes, nothing waits for it, and
  /// what it or its redaction throws is thrown to who publishes. Other listeners hear on a thread
  /// of their own, and are removed if they throw.
  public Delivery required() {
    return new Delivery(filter, backlog, transforms, redaction, true);
  }

  Backlog backlog() {
    return backlog;
  }

  boolean isRequired() {
    return required;
  }

  /// What the listener gets of an event, if anything.
  ///
  /// @throws RedactionFailed if the listener is required and its redaction threw
  Optional<BusEvent> formed(BusEvent event) {
    var formed = Optional.of(event).filter(filter::matches);
    for (var transform : transforms) formed = formed.flatMap(transform);
    return formed.map(this::redacted);
  }

  private BusEvent redacted(BusEvent event) {
    try {
      return redaction.apply(event);
    } catch (RuntimeException e) {
      if (required) throw new RedactionFailed(event.name(), e);
      return namesOnly(event);
    }
  }
}
