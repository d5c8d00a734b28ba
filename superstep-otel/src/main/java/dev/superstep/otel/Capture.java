package dev.superstep.otel;

import dev.superstep.event.Detail;
import dev.superstep.event.Redaction;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/// The payloads that a program puts on its spans, and their redaction. Immutable.
///
/// @param payloads those that are put there; none unless a program says so
/// @param redaction returns each text as it may leave the process. Where it throws,
///   [Redaction#REDACTED] replaces the text
public record Capture(Set<Payload> payloads, UnaryOperator<String> redaction) {
  /// The longest text that a span takes, in characters; the rest is cut off after redaction, so
  /// that no half of a secret is left.
  public static final int LONGEST = 8_000;

  private static final Capture NOTHING = new Capture(Set.of(), text -> Redaction.REDACTED);

  public Capture {
    payloads = Set.copyOf(payloads);
  }

  /// No payload at all.
  public static Capture nothing() {
    return NOTHING;
  }

  /// These payloads.
  ///
  /// @param redaction takes out what must not leave the process
  public static Capture of(UnaryOperator<String> redaction, Payload first, Payload... more) {
    return new Capture(EnumSet.of(first, more), redaction);
  }

  /// Returns the details that a run must add to its events.
  Detail[] details() {
    var all = EnumSet.noneOf(Detail.class);
    if (payloads.contains(Payload.ARGUMENTS)) all.add(Detail.TASKS);
    if (payloads.contains(Payload.WRITES)) all.add(Detail.UPDATES);
    return all.toArray(Detail[]::new);
  }

  boolean includes(Payload payload) {
    return payloads.contains(payload);
  }

  /// Returns a text as it may be recorded, if it may.
  Optional<String> of(Payload payload, String text) {
    if (!includes(payload)) return Optional.empty();
    try {
      var told = redaction.apply(text);
      return Optional.of(told.length() > LONGEST ? told.substring(0, LONGEST) : told);
    } catch (RuntimeException _) {
      return Optional.of(Redaction.REDACTED);
    }
  }
}
