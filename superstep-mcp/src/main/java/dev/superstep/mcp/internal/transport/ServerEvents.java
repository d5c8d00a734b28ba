package dev.superstep.mcp.internal.transport;

import dev.superstep.mcp.internal.wire.BoundedLines;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.function.Consumer;

/// Reads a stream of server-sent events within a limit for each. For one thread.
final class ServerEvents {
  private static final Duration RETRY_MIN = Duration.ofMillis(100);
  private static final Duration RETRY_MAX = Duration.ofSeconds(30);
  private static final int ID_MAX = 1_000;

  private final BoundedLines lines;
  private final int most;
  private String lastId;
  private Duration retry;

  /// @param most characters of one event
  ServerEvents(InputStream in, int most, String lastId, Duration retry) {
    this.lines = new BoundedLines(in, most);
    this.most = most;
    this.lastId = lastId;
    this.retry = retry;
  }

  /// The id of the last event that had one; empty if none had.
  String lastId() {
    return lastId;
  }

  /// The time to wait before the stream is opened again.
  Duration retry() {
    return retry;
  }

  /// Reads to the end of the stream.
  ///
  /// @param data is told the data of each message
  /// @throws BoundedLines.TooLong if an event is longer than allowed
  void read(Consumer<String> data) throws IOException {
    var event = new StringBuilder();
    boolean isMessage = true;
    for (var line = lines.next(); line != null; line = lines.next()) {
      if (line.isEmpty()) {
        if (isMessage && !event.toString().isBlank()) data.accept(event.toString());
        event.setLength(0);
        isMessage = true;
        continue;
      }
      int colon = line.indexOf(':');
      var field = colon < 0 ? line : line.substring(0, colon);
      var value = colon < 0 ? "" : line.substring(colon + 1);
      if (value.startsWith(" ")) value = value.substring(1);
      switch (field) {
        case "data" -> add(event, value);
        case "event" -> isMessage = value.isEmpty() || value.equals("message");
        case "id" -> identify(value);
        case "retry" -> delay(value);
        default -> {
          // Comments and unknown fields are left out, as the standard says.
        }
      }
    }
  }

  private void add(StringBuilder event, String value) throws BoundedLines.TooLong {
    if (event.length() + value.length() > most) throw new BoundedLines.TooLong(most);
    if (!event.isEmpty()) event.append('\n');
    event.append(value);
  }

  private void identify(String value) {
    boolean isPlain = value.chars().allMatch(c -> c >= ' ' && c < 0x7f);
    if (isPlain && value.length() <= ID_MAX) lastId = value;
  }

  private void delay(String value) {
    if (!value.matches("[0-9]{1,9}")) return;
    var asked = Duration.ofMillis(Long.parseLong(value));
    if (asked.compareTo(RETRY_MIN) < 0) retry = RETRY_MIN;
    else retry = asked.compareTo(RETRY_MAX) < 0 ? asked : RETRY_MAX;
  }
}
