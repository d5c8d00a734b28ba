package dev.superstep.run;

import dev.superstep.node.Command;
import dev.superstep.node.NoUpdate;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Update;

/// A change to a kept thread, made as if a node had run: its writes are folded, and what follows
/// the node is due. What else was due stays due, and what of it has finished stays finished.
/// Immutable.
///
/// @param node the node as which the change is made; if it is due itself, it has run with this
/// @param result what it would have returned: an [Update], or a [Command] that says what follows
public record StateUpdate(String node, NodeResult result) {
  /// @throws IllegalArgumentException if the result is neither an update nor a command
  public StateUpdate {
    switch (result) {
      case Update _, Command _, NoUpdate _ -> {}
      default ->
          throw new IllegalArgumentException(
              "an edit as `%s` must be an Update or a Command, was a %s"
                  .formatted(node, result.getClass().getSimpleName()));
    }
  }

  /// These writes, as this node.
  public static StateUpdate as(String node, NodeResult result) {
    return new StateUpdate(node, result);
  }
}
