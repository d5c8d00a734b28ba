package dev.superstep.rag.error;

import dev.superstep.json.SuperstepException;
import java.time.Duration;
import java.util.List;

/// A join had not all of its sources in time: some came too late, or cannot come any more. What its
/// node says `on_failure` decides what follows.
public final class JoinTimedOut extends SuperstepException {
  private final String join;
  private final List<String> missing;

  public JoinTimedOut(String join, List<String> missing, Duration timeout) {
    super(
        "rag.join-timed-out",
        "join `%s` waited %s ms from its first source on, and these were missing: %s"
            .formatted(join, timeout.toMillis(), String.join(", ", missing)));
    this.join = join;
    this.missing = List.copyOf(missing);
  }

  /// The node of the join.
  public String join() {
    return join;
  }

  /// The sources that had not come in time.
  public List<String> missing() {
    return missing;
  }
}
