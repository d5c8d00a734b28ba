package dev.superstep.spring;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The id of a server-sent event: its run, and its number there. It comes back from clients, so it
/// may be anything; one that cannot be read is none.
///
/// @param number 0 for events from a journal, after which a client reads the next run as a whole
record EventId(String run, long number) {
  private static final int LENGTH_MAX = 200;

  static Optional<EventId> parse(@Nullable String text) {
    if (text == null || text.length() > LENGTH_MAX) return Optional.empty();
    int dot = text.lastIndexOf('.');
    if (dot <= 0) return Optional.empty();
    try {
      long number = Long.parseLong(text.substring(dot + 1));
      return number < 0
          ? Optional.empty()
          : Optional.of(new EventId(text.substring(0, dot), number));
    } catch (NumberFormatException _) {
      return Optional.empty();
    }
  }

  @Override
  public String toString() {
    return run + "." + number;
  }
}
