package dev.superstep.checkpoint;

import dev.superstep.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A channel's content. Immutable, but for the log that several share.
sealed interface MemoryCell {
  long version();

  /// In one piece.
  record Whole(long version, Json value) implements MemoryCell {}

  /// Nothing.
  record Cleared(long version) implements MemoryCell {}

  /// The first `length` items of a log that later checkpoints share.
  record Items(long version, List<Json> log, int length) implements MemoryCell {
    private Items with(long next, int kept, List<Json> added) {
      boolean extend = kept == length && log.size() == length;
      var target = extend ? log : new ArrayList<>(log.subList(0, kept));
      target.addAll(added);
      return new Items(next, target, target.size());
    }
  }

  static MemoryCell changed(ChannelChange change, @Nullable MemoryCell old) {
    return switch (change.change()) {
      case ChannelChange.Change.Whole(var value) -> new Whole(change.version(), value);
      case ChannelChange.Change.Cleared() -> new Cleared(change.version());
      case ChannelChange.Change.Items(var kept, var added) -> {
        // A value in one piece, or none, has no items to retain.
        var base = old instanceof Items items ? items : new Items(0, new ArrayList<>(), 0);
        if (kept < 0 || kept > base.length()) {
          throw new IllegalArgumentException(
              "channel `%s` cannot keep %d items of %d"
                  .formatted(change.name(), kept, base.length()));
        }
        yield base.with(change.version(), kept, added);
      }
    };
  }

  /// Returns a copy that shares no log with another thread.
  ///
  /// @param logs the copies of the logs so far, which copies of other cells share
  default MemoryCell apart(Map<List<Json>, List<Json>> logs) {
    if (!(this instanceof Items(var version, var log, var length))) return this;
    var copy = logs.computeIfAbsent(log, all -> new ArrayList<>(all.subList(0, length)));
    return new Items(version, copy, length);
  }

  /// Returns the changes that turn an older cell into this one.
  @SuppressWarnings("ReferenceEquality") // what is shared is one list
  default List<ChannelChange> since(MemoryCell old, String name) {
    boolean isLonger =
        this instanceof Items now
            && old instanceof Items before
            && before.log() == now.log()
            && before.length() <= now.length();
    if (!isLonger) return SavedChannel.changes(List.of(old.saved(name)), List.of(saved(name)));
    int kept = ((Items) old).length();
    var added = ((Items) this).log().subList(kept, ((Items) this).length());
    return List.of(new ChannelChange(name, version(), new ChannelChange.Change.Items(kept, added)));
  }

  default SavedChannel saved(String name) {
    SavedChannel.Content content =
        switch (this) {
          case Whole(_, var value) -> new SavedChannel.Content.Whole(value);
          case Cleared _ -> new SavedChannel.Content.Cleared();
          case Items(_, var log, var length) ->
              new SavedChannel.Content.Items(log.subList(0, length));
        };
    return new SavedChannel(name, version(), content);
  }
}
