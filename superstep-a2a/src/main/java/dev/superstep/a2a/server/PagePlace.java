package dev.superstep.a2a.server;

import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Base64;
import tools.jackson.databind.JsonNode;

/// A place between two runs in the order of their last changes, the newest first. Immutable.
///
/// @param offset the number of runs before it, when it was noted
/// @param tasks the number of tasks that were listed before it
/// @param updated the last change of the run before it
/// @param run the id of that run; empty at the start
record PagePlace(int offset, int tasks, Instant updated, String run) {
  private static final PagePlace START = new PagePlace(0, 0, Instant.MAX, "");
  private static final int OFFSET_MAX = 1_000_000;
  private static final int TOKEN_MAX = 500;
  // So many runs before it may be deleted between two pages.
  private static final int MARGIN = 50;

  /// The place of a token.
  ///
  /// @param token empty for the start
  /// @throws RpcError if no place has it
  static PagePlace of(String token) {
    if (token.isEmpty()) return START;
    try {
      if (token.length() > TOKEN_MAX) throw new IllegalArgumentException();
      var text = new String(Base64.getUrlDecoder().decode(token), StandardCharsets.UTF_8);
      var parts = text.split(" ", -1);
      int offset = Integer.parseInt(parts[0]);
      int tasks = Integer.parseInt(parts[1]);
      boolean isGood =
          parts.length == 4 && offset >= 0 && offset <= OFFSET_MAX && tasks >= 0 && tasks <= offset;
      if (isGood) return new PagePlace(offset, tasks, Instant.parse(parts[2]), parts[3]);
    } catch (IllegalArgumentException | DateTimeException | IndexOutOfBoundsException _) {
      // Said below.
    }
    throw RpcError.params("`pageToken` was not given by this agent.");
  }

  /// The text for clients.
  String token() {
    var text = offset + " " + tasks + " " + updated + " " + run;
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  /// The first run to read.
  int firstRead() {
    return Math.max(0, offset - MARGIN);
  }

  /// Returns whether it is before a run.
  boolean isBefore(JsonNode other) {
    int order = TaskReader.at(other, "updated_at").compareTo(updated);
    return order < 0 || (order == 0 && other.path("run_id").asString("").compareTo(run) < 0);
  }

  /// The place after a run.
  PagePlace after(JsonNode other, int place, boolean isListed) {
    return new PagePlace(
        place,
        tasks + (isListed ? 1 : 0),
        TaskReader.at(other, "updated_at"),
        other.path("run_id").asString(""));
  }

  /// A copy that is read from further behind.
  PagePlace atLeast(int place) {
    return place > offset ? new PagePlace(place, tasks, updated, run) : this;
  }
}
