package dev.superstep.error;

import dev.superstep.json.SuperstepException;
import org.jspecify.annotations.Nullable;

/// An answer was not stored, because it names no open question or has the wrong shape. The thread
/// is unchanged and can be resumed with a better answer.
public final class AnswerRejected extends SuperstepException {
  private final String interrupt;

  public AnswerRejected(String interrupt, String why, @Nullable Throwable cause) {
    super("graph.answer-rejected", "Answer to `" + interrupt + "` rejected: " + why, cause);
    this.interrupt = interrupt;
  }

  /// The id that the answer named.
  public String interrupt() {
    return interrupt;
  }
}
