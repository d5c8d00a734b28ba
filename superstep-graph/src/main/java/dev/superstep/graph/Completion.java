package dev.superstep.graph;

import dev.superstep.state.Reducer;
import dev.superstep.state.Write;
import java.util.ArrayList;
import java.util.List;

/// Completes writes before they are saved, such as with fresh ids.
final class Completion {
  private Completion() {}

  static List<Write> of(List<Write> writes, Ids ids) {
    if (writes.isEmpty()) return writes;
    var complete = new ArrayList<Write>(writes.size());
    for (var write : writes) complete.add(complete(write, ids));
    return complete;
  }

  private static Write complete(Write write, Ids ids) {
    return switch (write) {
      case Write.Put<?> put -> put(put, ids);
      case Write.PutAll<?> all -> putAll(all, ids);
      case Write.Overwrite<?> overwrite -> overwrite;
      case Write.Remove remove -> remove;
    };
  }

  private static <W> Write put(Write.Put<W> put, Ids ids) {
    var value = put.channel().reducer().complete(put.value(), ids::next);
    return new Write.Put<>(put.channel(), value);
  }

  private static <W> Write putAll(Write.PutAll<W> all, Ids ids) {
    Reducer<?, W> reducer = all.channel().reducer();
    var values = all.values().stream().map(v -> reducer.complete(v, ids::next)).toList();
    return new Write.PutAll<>(all.channel(), values);
  }
}
