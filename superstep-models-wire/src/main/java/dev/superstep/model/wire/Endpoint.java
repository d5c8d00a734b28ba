package dev.superstep.model.wire;

import dev.superstep.model.ModelException;
import dev.superstep.model.ModelRef;

/// Where a model is asked. Immutable.
///
/// @param base URL without a trailing slash
/// @param model the name that the server knows it by
public record Endpoint(ModelRef ref, String base, String model, Key key) {
  /// The error for a request that cannot be sent as it is.
  ModelException refused(String title, String why) {
    return new ModelException(
        ModelException.Kind.BAD_REQUEST,
        "%s cannot be sent this request: %s (`%s`).".formatted(title, why, ref));
  }
}
