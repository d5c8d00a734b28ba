package dev.superstep.server.internal.api.studio;

import dev.superstep.graph.Graph;
import dev.superstep.schema.JsonSchema;
import tools.jackson.databind.node.ObjectNode;

/// Channels as JSON, each with the schema of its value.
final class ChannelTrees {
  private ChannelTrees() {}

  static void add(Graph graph, ObjectNode all) {
    for (var channel : graph.parts().channels()) {
      var values = channel.values();
      all.putObject(channel.name())
          .put("kind", channel.kind())
          .put("type", values.type())
          .put("tracked", channel.isTracked())
          .set("schema", StudioReplies.tree(JsonSchema.of(values).json()));
    }
  }
}
