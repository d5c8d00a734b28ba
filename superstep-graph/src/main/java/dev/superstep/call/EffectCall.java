package dev.superstep.call;

import dev.superstep.json.Json;
import java.util.Optional;

/// An effect that a node has begun. For the thread of the node.
public interface EffectCall {
  /// The result, if the effect is not to be made since it was made before.
  Optional<Json> recorded();

  /// Records the result of the effect. Where the end of the node is saved with a checkpoint, so is
  /// the result.
  ///
  /// @param isUncertain whether the effect may not have happened
  void made(Json result, boolean isUncertain);
}
