package dev.superstep.checkpoint;

import dev.superstep.json.Json;
import java.util.List;

/// The change of one channel by a superstep. Channels that did not change are not mentioned: the
/// new checkpoint refers to what its parent refers to.
public record ChannelChange(String name, long version, Change change) {
  /// The difference to the parent checkpoint.
  public sealed interface Change {
    /// The new value in one piece.
    record Whole(Json value) implements Change {}

    /// The first `kept` items of the parent's value, then the added ones. An append retains all of
    /// the parent's items.
    record Items(int kept, List<Json> added) implements Change {
      public Items {
        added = List.copyOf(added);
      }
    }

    /// There is no value any more; the version still counts on.
    record Cleared() implements Change {}
  }
}
