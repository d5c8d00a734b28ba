package dev.superstep.graph;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.superstep.state.Reducer;
import dev.superstep.state.Write;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

/// Completes writes before they are saved, such as with fresh ids.
final class Completion {
  private Completion() {}

  /// Ids for what one task writes: the same ones, in this order, whenever it runs.
  static Ids idsOf(Task task) {
    return ids(task.id());
  }

  /// Ids for the input of the graph inside a task.
  static Ids idsInside(Task task) {
    return ids(task.id() + "\n");
  }

  private static Ids ids(String place) {
    var ordinal = new AtomicInteger();
    return () -> id(place + "\n" + ordinal.getAndIncrement());
  }

  /// A UUID of version 8 (RFC 9562), which is made from what it is given for.
  private static String id(String place) {
    try {
      var hash = MessageDigest.getInstance("SHA-256").digest(place.getBytes(UTF_8));
      var bits = ByteBuffer.wrap(hash);
      long high = (bits.getLong() & ~0xF000L) | 0x8000L;
      long low = (bits.getLong() & ~(0xC0L << 56)) | (0x80L << 56);
      return new UUID(high, low).toString();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java runtime has SHA-256", e);
    }
  }

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
