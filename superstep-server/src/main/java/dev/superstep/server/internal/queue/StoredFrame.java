package dev.superstep.server.internal.queue;

import dev.superstep.json.Json;
import dev.superstep.server.internal.wire.Trees;

/// An event of a run's stream as it is stored. Immutable.
///
/// @param data JSON in one line
public record StoredFrame(String event, String data) {
  private static final String BEGIN = "{\"event\":\"";
  private static final String MIDDLE = "\",\"data\":";

  /// Reads an entry of the log. As [LogBatch#entry] writes it, it is only cut; another form of the
  /// same JSON, such as a database gives, is parsed.
  public static StoredFrame of(Json entry) {
    var text = entry.text();
    int end = text.indexOf('"', BEGIN.length());
    boolean isCut =
        text.startsWith(BEGIN)
            && text.startsWith(MIDDLE, end)
            && text.lastIndexOf('\\', end) < 0
            && text.indexOf('\n') < 0;
    if (!isCut) return parsed(entry);
    return new StoredFrame(
        text.substring(BEGIN.length(), end),
        text.substring(end + MIDDLE.length(), text.length() - 1));
  }

  private static StoredFrame parsed(Json entry) {
    var json = Trees.of(entry);
    return new StoredFrame(json.path("event").asString(""), json.path("data").toString());
  }
}
