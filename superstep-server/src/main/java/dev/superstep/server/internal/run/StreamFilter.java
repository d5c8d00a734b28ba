package dev.superstep.server.internal.run;

import dev.superstep.server.internal.wire.stream.StreamMode;
import java.util.Set;

/// Tells which events of a run's stream a client wants.
final class StreamFilter {
  private static final Set<String> ALWAYS = Set.of("metadata", "error", "end", "feedback");

  private StreamFilter() {}

  /// Returns whether an event is of one of the modes.
  ///
  /// @param event its name, with the namespace of a graph inside
  /// @param modes empty for all
  static boolean isWanted(String event, Set<StreamMode> modes) {
    if (modes.isEmpty()) return true;
    int bar = event.indexOf('|');
    var name = bar < 0 ? event : event.substring(0, bar);
    if (ALWAYS.contains(name)) return true;
    // `messages` is the event of mode `messages-tuple`, and `messages/...` those of `messages`.
    if (name.equals("messages")) return modes.contains(StreamMode.MESSAGES_TUPLE);
    if (name.startsWith("messages/")) return modes.contains(StreamMode.MESSAGES);
    for (var mode : modes) if (mode.text().equals(name)) return true;
    return false;
  }
}
