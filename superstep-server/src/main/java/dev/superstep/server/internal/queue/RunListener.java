package dev.superstep.server.internal.queue;

import dev.superstep.service.Document;
import dev.superstep.service.ServiceTransaction;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// Does something in the transaction in which a run begins or ends, such as noting whom to tell.
public interface RunListener {
  /// Called once for each run that begins to work; not when another process takes it over.
  default void began(ServiceTransaction in, Document run) {}

  /// Returns whether the end of a run is to have the whole state of its thread.
  default boolean needsState(Document run) {
    return false;
  }

  /// Called once for each run that ends, by whichever process.
  ///
  /// @param run as it is saved
  /// @param values of a run that did not fail: what it gives back if it has a webhook or no thread,
  ///   else the state of its thread if that is needed; else empty
  /// @param error `{error, message}` of a run that failed
  void ended(
      ServiceTransaction in, Document run, Optional<JsonNode> values, Optional<JsonNode> error);
}
