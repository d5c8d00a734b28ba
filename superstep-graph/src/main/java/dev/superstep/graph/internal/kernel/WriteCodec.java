package dev.superstep.graph.internal.kernel;

import dev.superstep.checkpoint.TaskRecord;
import dev.superstep.checkpoint.ValueOverLimit;
import dev.superstep.json.Json;
import dev.superstep.state.Channel;
import dev.superstep.state.Write;
import java.util.ArrayList;
import java.util.List;

/// The stored form of writes, by the codecs of their channels.
public final class WriteCodec {
  private WriteCodec() {}

  public static List<TaskRecord.SavedWrite> encode(List<Write> made) {
    var writes = new ArrayList<TaskRecord.SavedWrite>();
    for (var write : made) {
      if (!write.channel().isTracked()) continue;
      switch (write) {
        case Write.Put<?> put -> writes.add(put(put));
        case Write.PutAll<?> all -> putAll(all, writes);
        case Write.Overwrite<?> overwrite -> writes.add(overwrite(overwrite));
        case Write.Remove(var channel, var key) -> {
          var name = channel.name();
          ValueOverLimit.checkedText(key, "removal from channel", name);
          writes.add(new TaskRecord.SavedWrite.Remove(name, key));
        }
      }
    }
    return writes;
  }

  static <V, W> Write decode(Channel<V, W> channel, TaskRecord.SavedWrite write) {
    return switch (write) {
      case TaskRecord.SavedWrite.Put(_, var json) ->
          new Write.Put<>(channel, channel.writes().decode(json));
      case TaskRecord.SavedWrite.Overwrite(_, var json) ->
          new Write.Overwrite<>(channel, channel.values().decode(json));
      case TaskRecord.SavedWrite.Remove(_, var key) -> new Write.Remove(channel, key);
    };
  }

  private static <W> TaskRecord.SavedWrite put(Write.Put<W> put) {
    var name = put.channel().name();
    var json = put.channel().writes().encode(put.value());
    return new TaskRecord.SavedWrite.Put(name, written(json, name));
  }

  private static <W> void putAll(Write.PutAll<W> all, List<TaskRecord.SavedWrite> writes) {
    for (var value : all.values()) writes.add(put(new Write.Put<>(all.channel(), value)));
  }

  private static <V> TaskRecord.SavedWrite overwrite(Write.Overwrite<V> overwrite) {
    var name = overwrite.channel().name();
    var json = overwrite.channel().values().encode(overwrite.value());
    return new TaskRecord.SavedWrite.Overwrite(name, written(json, name));
  }

  private static Json written(Json json, String channel) {
    return ValueOverLimit.checked(json, "write to channel", channel);
  }
}
