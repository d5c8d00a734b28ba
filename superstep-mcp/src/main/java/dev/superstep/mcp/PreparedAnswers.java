package dev.superstep.mcp;

import dev.superstep.lock.Mutex;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The answers that people gave to what a server asked in earlier attempts at a call. An answer
/// counts only for exactly what was asked then, in the same place. Safe for many threads.
final class PreparedAnswers {
  private final Mutex lock = new Mutex();
  private final List<Given> given;
  private int next;
  private @Nullable McpElicitation open;

  /// An answer with what was asked.
  record Given(McpElicitation asked, McpAnswer answer) {}

  PreparedAnswers(List<Given> given) {
    this.given = List.copyOf(given);
  }

  List<Given> given() {
    return given;
  }

  /// The answer to what the server asks now: no choice, if there is none for it.
  McpAnswer answer(McpElicitation asked) {
    try (var _ = lock.hold()) {
      // After one without an answer none is given: the call is made again anyway.
      if (open == null && next < given.size() && given.get(next).asked().equals(asked)) {
        return given.get(next++).answer();
      }
      if (open == null) open = asked;
      return McpAnswer.cancel();
    }
  }

  /// The question that nobody has answered.
  Optional<McpElicitation> open() {
    try (var _ = lock.hold()) {
      return Optional.ofNullable(open);
    }
  }
}
