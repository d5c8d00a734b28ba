package dev.superstep.graph.internal.kernel;

import dev.superstep.node.Ids;
import dev.superstep.state.Reducer;
import dev.superstep.state.Write;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Completes writes before they are saved, such as with fresh ids.
public final class WriteCompletion {
  private WriteCompletion() {}

  /// Ids for what one task writes: the same ones, in this order, whenever it runs.
  public static Ids idsOf(Task task) {
    return new OfTask(task, "\n");
  }

  /// The id that [#idsOf] gives, known before the task has written anything.
  ///
  /// @param place among the writes of the task that come without an id, from 0
  public static String idOf(String task, int place) {
    return id(task + "\n" + place);
  }

  /// Ids for the input of a task's subgraph.
  public static Ids idsInside(Task task) {
    return new OfTask(task, "\n\n");
  }

  /// The generation that begins with a fork, which has no run of its own.
  public static String generationOf(String checkpoint) {
    return id(checkpoint + "\n\n\n");
  }

  /// The generation of a task's subgraph. As short for a deep one as for any.
  public static String generationInside(Task task) {
    return id(task.id() + "\n\n\n");
  }

  /// Few writes need ids, so nothing is made before one is asked for. One thread at a time.
  private static final class OfTask implements Ids {
    private final Task task;
    private final String between;
    private int ordinal;

    OfTask(Task task, String between) {
      this.task = task;
      this.between = between;
    }

    @Override
    public String next() {
      return id(task.id() + between + ordinal++);
    }
  }

  /// A UUID of version 8 (RFC 9562), which is made from what it is given for.
  private static String id(String place) {
    var bits = ByteBuffer.wrap(Sha256.of(place));
    long high = (bits.getLong() & ~0xF000L) | 0x8000L;
    long low = (bits.getLong() & ~(0xC0L << 56)) | (0x80L << 56);
    return new UUID(high, low).toString();
  }

  /// Completes a list of writes; returns the same list if nothing had to be completed.
  public static List<Write> of(List<Write> writes, Ids ids) {
    List<Write> complete = writes;
    for (int i = 0; i < writes.size(); i++) {
      var write = complete(writes.get(i), ids);
      if (isSame(write, writes.get(i))) continue;
      if (isSame(complete, writes)) complete = new ArrayList<>(writes);
      complete.set(i, write);
    }
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
    return isSame(value, put.value()) ? put : new Write.Put<>(put.channel(), value);
  }

  private static <W> Write putAll(Write.PutAll<W> all, Ids ids) {
    Reducer<?, W> reducer = all.channel().reducer();
    var values = new ArrayList<W>(all.values().size());
    for (var value : all.values()) values.add(reducer.complete(value, ids::next));
    return new Write.PutAll<>(all.channel(), values);
  }

  /// Returns whether both are the same object: a write that was already complete is not copied.
  @SuppressWarnings("ReferenceEquality")
  public // that is what it is for
  static boolean isSame(@Nullable Object one, @Nullable Object other) {
    return one == other;
  }
}
