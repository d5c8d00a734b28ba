package dev.superstep.run;

import dev.superstep.node.Command;
import dev.superstep.node.NoUpdate;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Update;

/// A change to a saved thread, made as if a node had run: its writes are folded, and the nodes
/// after it become due. Other due tasks stay due, and those of them that have finished stay
/// finished. Immutable.
///
/// @param node the node as which the change is made; if it is due itself, this counts as its run.
///   As START the change is like input: what follows START is due, and nothing else.
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
