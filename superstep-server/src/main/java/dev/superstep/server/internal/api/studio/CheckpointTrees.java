package dev.superstep.server.internal.api.studio;

import dev.superstep.checkpoint.Checkpoint;
import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.CheckpointerCapability.CombinedCalls;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.checkpoint.PendingNode;
import dev.superstep.checkpoint.Progress;
import java.util.Locale;
import tools.jackson.databind.node.ObjectNode;

/// Checkpoints as JSON.
final class CheckpointTrees {
  private CheckpointTrees() {}

  static ObjectNode of(Checkpoint at) {
    var tree =
        StudioReplies.object()
            .put("id", at.id())
            .put("parent", at.parent().orElse(null))
            .put("step", at.step())
            .put("source", at.source().name().toLowerCase(Locale.ROOT))
            .put("at", at.at().toString())
            .put("run", at.run())
            .put("graph", at.graph());
    var ran = tree.putArray("ran");
    at.progress().ran().forEach(ran::add);
    var next = tree.putArray("next");
    at.progress().next().stream().map(PendingNode::node).forEach(next::add);
    at.origin()
        .ifPresent(from ->
            tree.putObject("origin")
                .put("kind", from.kind().name().toLowerCase(Locale.ROOT))
                .put("thread", from.source().thread())
                .put("checkpoint", from.checkpoint()));
    return tree;
  }

  /// A checkpoint with the names of the channels that changed since the one before.
  static ObjectNode withChanges(Checkpointer store, String thread, Checkpoint at) {
    var tree = of(at);
    CombinedCalls.of(store)
        .changes(Lineage.of(thread), at.id())
        .ifPresent(changes -> {
          var names = tree.putArray("changed");
          for (var change : changes) {
            if (!change.name().equals(Progress.CHANNEL)) names.add(change.name());
          }
        });
    return tree;
  }
}
