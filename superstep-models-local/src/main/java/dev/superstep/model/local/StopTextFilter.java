package dev.superstep.model.local;

import java.util.List;

/// Lets text through up to the first stop text, and holds back what may become one. One thread at a
/// time.
final class StopTextFilter {
  private final List<String> stops;
  private final StringBuilder held = new StringBuilder();
  private boolean stopped;

  StopTextFilter(List<String> stops) {
    this.stops = List.copyOf(stops);
  }

  /// Returns the text that may be emitted now and was not emitted before.
  String feed(String piece) {
    if (stopped) return "";
    held.append(piece);
    int end = held.length();
    for (var stop : stops) {
      int at = held.indexOf(stop);
      if (at >= 0 && at <= end) {
        stopped = true;
        end = at;
      }
    }
    return consume(stopped ? end : held.length() - doubtful());
  }

  boolean isStopped() {
    return stopped;
  }

  /// Returns the text that was held back for a stop text that did not come.
  String rest() {
    return stopped ? "" : consume(held.length());
  }

  private String consume(int length) {
    var text = held.substring(0, length);
    held.delete(0, length);
    return text;
  }

  private int doubtful() {
    int longest = 0;
    for (var stop : stops) {
      for (int length = Math.min(stop.length() - 1, held.length()); length > longest; length--) {
        if (held.substring(held.length() - length).equals(stop.substring(0, length))) {
          longest = length;
        }
      }
    }
    return longest;
  }
}
