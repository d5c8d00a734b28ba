package dev.superstep.spring;

import java.util.List;

/// The events that a client is sent from a journal.
///
/// @param offset of the last entry that was read
record JournalReplay(List<SentEvent> events, long offset) {
  static final JournalReplay NONE = new JournalReplay(List.of(), 0);

  JournalReplay {
    events = List.copyOf(events);
  }
}
