package dev.superstep.checkpoint;

import dev.superstep.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A channel's content: whole, or the first `length` items of a log that later checkpoints share,
/// or nothing.
record MemoryCell(long version, Json whole, List<Json> log, int length) {
  private static final int WHOLE = -1;
  private static final int CLEARED = -2;

  static MemoryCell changed(ChannelChange change, @Nullable MemoryCell old) {
    return switch (change.change()) {
      case ChannelChange.Change.Whole(var value) ->
          new MemoryCell(change.version(), value, List.of(), WHOLE);
      case ChannelChange.Change.Cleared() ->
          new MemoryCell(change.version(), Json.ofNull(), List.of(), CLEARED);
      case ChannelChange.Change.Items(var kept, var added) -> {
        // A value in one piece, or none, has no items to retain.
        var base =
            old != null && old.length >= 0
                ? old
                : new MemoryCell(0, Json.ofNull(), new ArrayList<>(), 0);
        if (kept < 0 || kept > base.length) {
          throw new IllegalArgumentException(
              "channel `%s` cannot keep %d items of %d"
                  .formatted(change.name(), kept, base.length));
        }
        yield base.with(change.version(), kept, added);
      }
    };
  }

  private MemoryCell with(long next, int kept, List<Json> added) {
    boolean extend = kept == length && log.size() == length;
    var target = extend ? log : new ArrayList<>(log.subList(0, kept));
    target.addAll(added);
    return new MemoryCell(next, Json.ofNull(), target, target.size());
  }

  /// Returns a copy that shares no log with another thread.
  ///
  /// @param logs the copies of the logs so far, which copies of other cells share
  MemoryCell apart(Map<List<Json>, List<Json>> logs) {
    if (length < 0) return this;
    var copy = logs.computeIfAbsent(log, all -> new ArrayList<>(all.subList(0, length)));
    return new MemoryCell(version, whole, copy, length);
  }

  /// Returns the changes that turn an older cell into this one.
  @SuppressWarnings("ReferenceEquality") // what is shared is one list
  List<ChannelChange> since(MemoryCell old, String name) {
    if (length < 0 || old.length < 0 || old.log != log || old.length > length) {
      return SavedChannel.changes(List.of(old.saved(name)), List.of(saved(name)));
    }
    var added = log.subList(old.length, length);
    return List.of(
        new ChannelChange(name, version, new ChannelChange.Change.Items(old.length, added)));
  }

  SavedChannel saved(String name) {
    SavedChannel.Content content =
        switch (length) {
          case WHOLE -> new SavedChannel.Content.Whole(whole);
          case CLEARED -> new SavedChannel.Content.Cleared();
          default -> new SavedChannel.Content.Items(log.subList(0, length));
        };
    return new SavedChannel(name, version, content);
  }
}
