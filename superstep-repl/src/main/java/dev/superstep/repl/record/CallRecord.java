package dev.superstep.repl.record;

import dev.superstep.json.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A call of a capability in a cell, with what came of it. Stored with the thread. Immutable.
///
/// @param kind such as `model`, `tool`, `agent`, `graph`
/// @param name of what was called
/// @param digest SHA-256 of what it was given
/// @param answers one, or one for each item of a batch
public record CallRecord(
    String kind, String name, String digest, boolean isBatch, List<Answer> answers) {
  public CallRecord {
    answers = List.copyOf(answers);
  }

  /// The end of a call.
  ///
  /// @param digest of what it was given
  /// @param value of a call that succeeded
  /// @param code of the error that a script can catch; empty if there is none
  /// @param cost what it took; null in records of earlier versions, and where nothing was done
  public record Answer(
      String digest, Json value, String code, String message, @Nullable CallCost cost) {
    /// Returns whether it ended with an error.
    public boolean isError() {
      return !code.isEmpty();
    }
  }
}
