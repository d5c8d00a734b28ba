package dev.superstep.model.wire;

import dev.superstep.model.ModelException;
import dev.superstep.model.ModelIdentity;
import dev.superstep.model.ModelRef;

/// Where a model is asked. Immutable.
///
/// @param base URL without a trailing slash
/// @param model the name that the server knows it by
/// @param limits on its replies
public record Endpoint(ModelRef ref, String base, String model, Key key, ReplyLimits limits) {
  /// Returns the identity of the model, which tells it from others with the same name.
  ///
  /// @param protocol the protocol of its requests
  public ModelIdentity identity(Protocol protocol) {
    var value = key.value();
    var secret = value == null ? "" : value;
    return ModelIdentity.of(
        "endpoint", ref.provider(), protocol.getClass().getName(), base, model, secret);
  }

  /// The error for a request that cannot be sent as it is.
  ModelException refused(String title, String why) {
    return new ModelException(
        ModelException.Kind.BAD_REQUEST,
        "%s cannot be sent this request: %s (`%s`).".formatted(title, why, ref));
  }
}
