package dev.superstep.graph.internal.persistence;

import dev.superstep.checkpoint.Saved;
import dev.superstep.checkpoint.SavedChannel;
import dev.superstep.checkpoint.SavedChannel.Content;
import dev.superstep.graph.internal.kernel.CompiledGraph;
import dev.superstep.json.Json;
import dev.superstep.state.Items;
import dev.superstep.topology.Topology;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/// Gives channels that are stored as logs of changes the form that migrations know, if they are to
/// change: a by-id list item by item, a map or a set in one piece. Pure.
///
/// @param way the migrations, in order
/// @param graph what they lead to
record MigrationForms(List<MigrationStep> way, CompiledGraph graph) {
  /// @param shape of the graph that saved it
  Saved of(Saved old, Topology shape) {
    var kinds = new HashMap<String, String>();
    for (var channel : shape.channels()) kinds.put(channel.name(), channel.kind());
    var channels = new ArrayList<SavedChannel>();
    for (var channel : old.channels()) {
      var kind = kinds.getOrDefault(channel.name(), "");
      channels.add(isChanged(channel.name(), kind) ? plain(channel, kind) : channel);
    }
    return new Saved(old.checkpoint(), channels);
  }

  /// The channels whose value is a list that is stored item by item.
  static Set<String> lists(Topology shape) {
    return shape.channels().stream()
        .filter(
            channel -> channel.kind().startsWith("append") || channel.kind().startsWith("by-id"))
        .map(Topology.ChannelShape::name)
        .collect(Collectors.toSet());
  }

  private boolean isChanged(String name, String kind) {
    var now = name;
    for (var migration : way) {
      now = migration.renamed(now);
      if (migration.transforms(now)) return true;
    }
    var channel = graph.index().channel(now);
    return channel != null && !channel.kind().equals(kind);
  }

  private static SavedChannel plain(SavedChannel channel, String kind) {
    if (!(channel.content() instanceof Content.Items(var items))) return channel;
    return new SavedChannel(channel.name(), channel.version(), plain(kind, items));
  }

  private static Content plain(String kind, List<Json> items) {
    return switch (kind) {
      case "by-id" -> new Content.Items(Items.settled(items));
      case "union" -> new Content.Whole(joined("[", Items.settled(items), 0, "]"));
      case "merge" -> new Content.Whole(joined("{", Items.settled(items), 1, "}"));
      default -> new Content.Items(items);
    };
  }

  /// @param skip how many characters of each end are left out
  private static Json joined(String open, List<Json> parts, int skip, String close) {
    return Json.unchecked(
        parts.stream()
            .map(Json::text)
            .map(text -> text.substring(skip, text.length() - skip))
            .collect(Collectors.joining(",", open, close)));
  }
}
