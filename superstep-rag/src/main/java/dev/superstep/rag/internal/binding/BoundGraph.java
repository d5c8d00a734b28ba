package dev.superstep.rag.internal.binding;

import dev.superstep.graph.Graph;
import dev.superstep.language.blueprint.Blueprint;
import dev.superstep.rag.internal.run.RunErrors;
import dev.superstep.rag.internal.run.Scene;
import dev.superstep.state.Channel;
import java.util.Map;

/// A graph that was bound, with what its runs need. Immutable.
///
/// @param errors says where in the text an error of a run belongs
public record BoundGraph(Graph graph, Scene scene, RunErrors errors) {
  /// The text as data.
  public Blueprint blueprint() {
    return scene.blueprint();
  }

  /// The channels by name.
  public Map<String, Channel<?, ?>> channels() {
    return scene.channels();
  }
}
