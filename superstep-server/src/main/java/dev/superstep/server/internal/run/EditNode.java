package dev.superstep.server.internal.run;

import dev.superstep.checkpoint.Checkpoint;
import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.graph.Graph;
import dev.superstep.server.internal.http.HttpFailure;
import dev.superstep.server.internal.wire.GraphWire;
import java.util.Optional;

/// Finds the node as which an edit of a thread is made, if the client does not name one: the one
/// that ran last.
public final class EditNode {
  private static final int LOOKED_AT = 50;

  private EditNode() {}

  /// The node of a thread's next edit.
  ///
  /// @throws HttpFailure 400 if several nodes ran in the last superstep
  public static String of(GraphWire wire, Checkpointer store, String thread) {
    var page = store.page(Lineage.of(thread), Optional.empty(), LOOKED_AT);
    for (var checkpoint : page) {
      var node = of(checkpoint);
      if (node.isPresent()) return node.get();
    }
    return Graph.START;
  }

  /// The node that ran last at a checkpoint, or empty if an older one has to say.
  public static Optional<String> of(Checkpoint checkpoint) {
    return switch (checkpoint.source()) {
      case INPUT -> Optional.of(Graph.START);
      case LOOP, UPDATE -> {
        var ran = checkpoint.progress().ran();
        if (ran.size() > 1) {
          throw new HttpFailure(
              400,
              "Ambiguous update: several nodes ran last, %s. Say with `as_node` as which one."
                  .formatted(ran));
        }
        yield ran.stream().findFirst();
      }
      case FORK, MIGRATION -> Optional.empty();
    };
  }
}
