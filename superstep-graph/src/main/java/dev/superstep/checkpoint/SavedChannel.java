package dev.superstep.checkpoint;

import dev.superstep.checkpoint.ChannelChange.Change;
import dev.superstep.json.Json;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A channel's value as a checkpoint holds it.
public record SavedChannel(String name, long version, Content content) {
  /// Returns the changes that turn the channels of a checkpoint into those of a later one.
  public static List<ChannelChange> changes(List<SavedChannel> before, List<SavedChannel> after) {
    var olds = new HashMap<String, SavedChannel>();
    for (var channel : before) olds.put(channel.name(), channel);
    var changes = new ArrayList<ChannelChange>();
    for (var channel : after) {
      var old = olds.get(channel.name());
      if (channel.equals(old)) continue;
      changes.add(new ChannelChange(channel.name(), channel.version(), channel.since(old)));
    }
    return changes;
  }

  /// Applies what a checkpoint changes to what its parent holds: for stores that keep each
  /// checkpoint in full.
  ///
  /// @throws IllegalArgumentException if a change keeps items that are not there
  public static List<SavedChannel> changed(List<SavedChannel> before, List<ChannelChange> changes) {
    var all = new LinkedHashMap<String, SavedChannel>();
    for (var channel : before) all.put(channel.name(), channel);
    for (var each : changes) {
      Content content =
          switch (each.change()) {
            case Change.Whole(var value) -> new Content.Whole(value);
            case Change.Cleared() -> new Content.Cleared();
            case Change.Items(var kept, var added) -> {
              var items = new ArrayList<>(prefix(all, each, kept));
              items.addAll(added);
              yield new Content.Items(items);
            }
          };
      all.put(each.name(), new SavedChannel(each.name(), each.version(), content));
    }
    return List.copyOf(all.values());
  }

  private static List<Json> prefix(Map<String, SavedChannel> all, ChannelChange change, int kept) {
    var old = all.get(change.name());
    var items =
        old != null && old.content() instanceof Content.Items(var known) ? known : List.<Json>of();
    if (kept <= items.size()) return items.subList(0, kept);
    throw new IllegalArgumentException(
        "channel `%s` has no %d items to keep".formatted(change.name(), kept));
  }

  private Change since(@Nullable SavedChannel old) {
    return switch (content) {
      case Content.Whole(var value) -> new Change.Whole(value);
      case Content.Cleared() -> new Change.Cleared();
      case Content.Items(var items) -> {
        int kept = 0;
        if (old != null && old.content() instanceof Content.Items(var known)) {
          int most = Math.min(known.size(), items.size());
          while (kept < most && known.get(kept).equals(items.get(kept))) kept++;
        }
        yield new Change.Items(kept, items.subList(kept, items.size()));
      }
    };
  }

  /// The stored form of a value.
  public sealed interface Content {
    /// In one piece.
    record Whole(Json value) implements Content {}

    /// Item by item.
    record Items(List<Json> items) implements Content {
      public Items {
        items = List.copyOf(items);
      }
    }

    /// It was cleared, and holds nothing.
    record Cleared() implements Content {}
  }
}
