package dev.superstep.server.internal.run;

import dev.superstep.service.LogEntry;
import java.util.List;

/// The length of the pages in which a reader reads a log: so many entries as are of use at once,
/// since a client that reads slowly holds what was read for it last. Safe for many threads.
final class LogPage {
  private static final int FIRST = 16;
  private static final int MOST = 500;
  private static final int CHARACTERS = 250_000;

  private volatile int length = FIRST;

  /// The number of entries to read next.
  int length() {
    return length;
  }

  /// The first of some entries, up to a size, which is also about that of the next page. At least
  /// one if there is one.
  List<LogEntry> first(List<LogEntry> entries) {
    int number = 0;
    long characters = 0;
    while (number < entries.size() && characters < CHARACTERS) {
      characters += RunLog.size(entries.get(number++).value());
    }
    if (number == 0) return entries;
    length = Math.clamp((long) number * CHARACTERS / Math.max(1, characters), 1, MOST);
    // A view would hold those that are left out.
    return List.copyOf(entries.subList(0, number));
  }
}
