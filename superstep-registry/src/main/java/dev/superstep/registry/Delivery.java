package dev.superstep.registry;

import dev.superstep.event.Backlog;
import dev.superstep.registry.BusEvent.Payload;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/// Settings of a listener of an [EventBus]: the events that it receives, and their form. Immutable;
/// each method returns a changed copy.
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

  /// Delivers the events that pass a filter; the oldest is dropped if 1,024 are unread.
  public static Delivery of(BusFilter filter) {
    return new Delivery(
        filter, Backlog.droppingOldest(), List.of(), UnaryOperator.identity(), false);
  }

  /// A [#redact]ion that keeps only names, ids, levels and tags.
  public static BusEvent namesOnly(BusEvent event) {
    return event.withPayload(new Payload.Withheld());
  }

  /// Sets the limit of unread events, and what happens when it is reached. A failure is thrown to
  /// the publisher.
  public Delivery backlog(Backlog newBacklog) {
    return new Delivery(filter, newBacklog, transforms, redaction, required);
  }

  /// Adds a transform of each event, after those that were added before; an empty result drops the
  /// event.
  public Delivery transform(Function<BusEvent, Optional<BusEvent>> transform) {
    var more = new ArrayList<>(transforms);
    more.add(transform);
    return new Delivery(filter, backlog, more, redaction, required);
  }

  /// Sets the redaction of each event, which runs after all transforms. If it throws, the listener
  /// gets [#namesOnly].
  public Delivery redact(UnaryOperator<BusEvent> newRedaction) {
    return new Delivery(filter, backlog, transforms, newRedaction, required);
  }

  /// Makes the listener mandatory. It is called on the publishing thread, without a queue, and its
  /// exceptions and those of its redaction are thrown to the publisher. Other listeners are called
  /// on threads of their own, and are removed if they throw.
  public Delivery required() {
    return new Delivery(filter, backlog, transforms, redaction, true);
  }

  Backlog backlog() {
    return backlog;
  }

  boolean isRequired() {
    return required;
  }

  /// Returns the event in the form that the listener receives, if it receives it.
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

  @Override
  public String toString() {
    return "Delivery[" + filter + ", " + backlog + (required ? ", required]" : "]");
  }
}
