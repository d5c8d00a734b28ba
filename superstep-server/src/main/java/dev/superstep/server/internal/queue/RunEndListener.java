package dev.superstep.server.internal.queue;

import dev.superstep.service.Document;
import dev.superstep.service.ServiceTransaction;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// Does something in the transaction in which a run ends, such as noting whom to tell.
@FunctionalInterface
public interface RunEndListener {
  /// Called once for each run that ends, by whichever process.
  ///
  /// @param run as it is saved
  /// @param values the state of its thread, if the run has a webhook and did not fail
  /// @param error `{error, message}` of a run that failed
  void ended(
      ServiceTransaction in, Document run, Optional<JsonNode> values, Optional<JsonNode> error);
}
