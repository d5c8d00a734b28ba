package dev.superstep.retrieval.vector;

import dev.superstep.json.SuperstepException;
import org.jspecify.annotations.Nullable;

/// The storage of an index failed. Data that was added before is intact unless the message says
/// otherwise.
public final class IndexFailed extends SuperstepException {
  private final String index;

  /// @param index which storage, as a person would name it
  /// @param why one sentence without a full stop
  /// @param advice what to do, with a full stop
  public IndexFailed(String index, String why, String advice, @Nullable Throwable cause) {
    super(
        "retrieval.index-failed",
        "The index %s failed: %s. %s".formatted(index, why, advice),
        cause);
    this.index = index;
  }

  /// Which storage it was.
  public String index() {
    return index;
  }
}
