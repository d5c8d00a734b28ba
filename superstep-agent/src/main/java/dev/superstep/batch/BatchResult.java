package dev.superstep.batch;

import dev.superstep.json.Json;

/// The result of a request of a batch. Immutable.
public sealed interface BatchResult {
  /// It was answered.
  ///
  /// @param body of the reply, as the vendor sent it
  record Answered(Json body) implements BatchResult {}

  /// It failed.
  ///
  /// @param kind a [dev.superstep.model.ModelException.Kind]
  /// @param why what the vendor said
  record Failed(String kind, String why) implements BatchResult {}

  /// It was not worked on in time, or the batch was cancelled.
  record Expired() implements BatchResult {}
}
