package dev.superstep.checkpoint;

import dev.superstep.json.Json;
import java.util.Optional;

/// A node that is due in the next superstep.
///
/// @param argument what it was sent, if it was
/// @param task the id of its task, if that was due before and its checkpoint was replaced;
///   otherwise the id is made from the generation of the checkpoint
public record PendingNode(
    String node, Activation activation, Optional<Json> argument, Optional<String> task) {
  /// With a task of its own checkpoint.
  public PendingNode(String node, Activation activation, Optional<Json> argument) {
    this(node, activation, argument, Optional.empty());
  }
}
