package dev.superstep.checkpoint;

import dev.superstep.json.Json;
import java.util.List;

/// A channel's value as a checkpoint holds it.
public record SavedChannel(String name, long version, Content content) {
  /// How the value is stored.
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
