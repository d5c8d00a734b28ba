package dev.superstep.graph.internal.kernel;

import dev.superstep.error.ConcurrentWrites;
import dev.superstep.error.ReducerFailed;
import dev.superstep.error.TokenUnread;
import dev.superstep.json.SuperstepException;
import dev.superstep.state.Channel;
import dev.superstep.state.Folded;
import dev.superstep.state.Reducer;
import dev.superstep.state.Write;
import dev.superstep.topology.Topology;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Folds the writes of one superstep, in task order, into the values of the channels.
public final class Folding {
  private final ChannelIndex index;
  private final ByPlace<Bucket> buckets = new ByPlace<>();

  /// The writes to one channel, each with the task that made it; null stands for the input. Most
  /// channels get one write.
  private static final class Bucket {
    private @Nullable Write first;
    private @Nullable Task firstBy;
    private List<Write> more = List.of();
    private List<@Nullable Task> moreBy = List.of();
    private boolean isConsumed;

    void add(Write write, @Nullable Task by) {
      if (first == null) {
        first = write;
        firstBy = by;
        return;
      }
      if (more.isEmpty()) {
        more = new ArrayList<>();
        moreBy = new ArrayList<>();
      }
      more.add(write);
      moreBy.add(by);
    }

    int size() {
      return first == null ? 0 : 1 + more.size();
    }

    Write write(int place) {
      return place == 0 ? Objects.requireNonNull(first) : more.get(place - 1);
    }

    @Nullable Task by(int place) {
      return place == 0 ? firstBy : moreBy.get(place - 1);
    }

    /// Returns whether there are no writes, or only empty lists of writes.
    boolean isEmpty() {
      for (int i = 0; i < size(); i++) {
        if (!(write(i) instanceof Write.PutAll<?> all) || !all.values().isEmpty()) return false;
      }
      return true;
    }
  }

  /// A channel after the fold.
  ///
  /// @param kept for list channels: how many leading items are those of the value before
  /// @param cleared whether the value was put back to what it was before any write
  public record Changed(int place, int kept, boolean cleared) {}

  public Folding(ChannelIndex index) {
    this.index = index;
    for (int place : index.fleeting()) bucket(place);
  }

  private Bucket bucket(int place) {
    var bucket = buckets.get(place);
    if (bucket == null) {
      bucket = new Bucket();
      buckets.put(place, bucket);
    }
    return bucket;
  }

  /// Consumes a value: it is absent after this superstep, unless it is written again.
  public void consume(int place) {
    bucket(place).isConsumed = true;
  }

  /// Adds the writes of a task.
  ///
  /// @param task whose writes they are, or null for the input
  public void add(@Nullable Task task, List<Write> writes) {
    for (int i = 0; i < writes.size(); i++) {
      var write = writes.get(i);
      bucket(index.place(write.channel())).add(write, task);
    }
  }

  /// Folds everything into the cells, clears values that do not last and were not written, and
  /// returns the changes.
  public List<Changed> into(ChannelValues cells) {
    List<Changed> changes = List.of();
    for (int place = buckets.next(0); place != ByPlace.NONE; place = buckets.next(place + 1)) {
      var changed = into(cells, place, Objects.requireNonNull(buckets.get(place)));
      if (changed == null) continue;
      if (buckets.size() == 1) return List.of(changed);
      if (changes.isEmpty()) changes = new ArrayList<>(buckets.size());
      changes.add(changed);
    }
    return changes;
  }

  @SuppressWarnings("ReferenceEquality") // what is the same object need not be put again
  private @Nullable Changed into(ChannelValues cells, int place, Bucket bucket) {
    var channel = index.channel(place);
    var reducer = channel.reducer();
    if (bucket.size() == 0 || (reducer.isAggregate() && bucket.isEmpty())) {
      if (reducer.isLasting() && !bucket.isConsumed) return null;
      var empty = reducer.initial();
      if (Objects.equals(cells.value(place), empty)) return null;
      cells.put(place, empty);
      cells.moveOn(place);
      return new Changed(place, 0, true);
    }
    var before = bucket.isConsumed ? reducer.initial() : cells.value(place);
    var folded = folded(channel, before, bucket);
    if (bucket.isConsumed || folded.value() != before) cells.put(place, folded.value());
    if (!folded.changed()) return null;
    cells.moveOn(place);
    return new Changed(place, folded.kept(), false);
  }

  private static <V, W> Folded<V> folded(
      Channel<V, W> channel, @Nullable Object current, Bucket bucket) {
    try {
      return fold(channel, current, bucket);
    } catch (SuperstepException e) {
      throw e;
    } catch (Throwable e) {
      FatalErrors.rethrow(e);
      throw new ReducerFailed(channel.name(), e);
    }
  }

  private static <V, W> Folded<V> fold(
      Channel<V, W> channel, @Nullable Object current, Bucket bucket) {
    var overwrite = overwrite(channel, bucket);
    @SuppressWarnings("unchecked") // a place holds only what its own channel's reducer made
    var before = (V) current;
    if (overwrite != null) {
      @SuppressWarnings("unchecked") // made by Update.overwrite, which is typed
      var value = (V) overwrite.value();
      var adopted = channel.reducer().adopt(value);
      var rest = after(bucket, overwrite);
      var next = rest == null ? adopted : fold(channel, adopted, rest).value();
      boolean same = before != null && next != null && channel.reducer().isSame(before, next);
      return same ? new Folded<>(before, false, Integer.MAX_VALUE) : new Folded<>(next, true, 0);
    }
    if (!channel.reducer().isAggregate()) {
      single(channel, bucket);
      if (before != null && channel.reducer().isConsumed()) throw overwritten(channel, bucket);
    }
    var reducer = channel.reducer();
    return bucket.size() == 1
        ? foldOne(reducer, before, bucket.write(0))
        : foldAll(reducer, before, bucket);
  }

  @SuppressWarnings("unchecked") // writes are made by typed factories for their channel
  private static <V, W> Folded<V> foldOne(Reducer<V, W> reducer, @Nullable V before, Write write) {
    return switch (write) {
      case Write.Put<?> put ->
          reducer.fold(before, (List<W>) Collections.singletonList(put.value()));
      case Write.PutAll<?> all -> fold(reducer, before, (List<W>) all.values());
      case Write.Remove(_, var key) -> reducer.remove(before, key);
      case Write.Overwrite<?> _ -> throw new IllegalStateException("overwrites go first");
    };
  }

  @SuppressWarnings("unchecked") // writes are made by typed factories for their channel
  private static <V, W> Folded<V> foldAll(
      Reducer<V, W> reducer, @Nullable V before, Bucket bucket) {
    var puts = new ArrayList<W>(bucket.size());
    boolean removes = false;
    var result = new Folded<V>(before, false, Integer.MAX_VALUE);
    for (int i = 0; i < bucket.size(); i++) {
      switch (bucket.write(i)) {
        case Write.Put<?> put -> puts.add((W) put.value());
        case Write.PutAll<?> all -> puts.addAll((List<W>) all.values());
        case Write.Remove(_, var key) -> {
          removes = true;
          result = then(result, fold(reducer, result.value(), puts));
          puts.clear();
          result = then(result, reducer.remove(result.value(), key));
        }
        case Write.Overwrite<?> _ -> throw new IllegalStateException("overwrites go first");
      }
    }
    result = then(result, fold(reducer, result.value(), puts));
    return removes ? settled(reducer, before, result) : result;
  }

  /// Drops a change that the same superstep undid: a value that was written and removed again has
  /// not changed. The comparison costs no more than the removal.
  private static <V, W> Folded<V> settled(
      Reducer<V, W> reducer, @Nullable V before, Folded<V> after) {
    var value = after.value();
    if (!after.changed() || before == null || value == null) return after;
    return reducer.isSame(before, value) ? new Folded<>(before, false, Integer.MAX_VALUE) : after;
  }

  private static <V, W> Folded<V> fold(Reducer<V, W> reducer, @Nullable V value, List<W> puts) {
    return puts.isEmpty()
        ? new Folded<>(value, false, Integer.MAX_VALUE)
        : reducer.fold(value, puts);
  }

  private static <V> Folded<V> then(Folded<V> first, Folded<V> second) {
    return new Folded<>(
        second.value(), first.changed() || second.changed(), Math.min(first.kept(), second.kept()));
  }

  private static Write.@Nullable Overwrite<?> overwrite(Channel<?, ?> channel, Bucket bucket) {
    Write.Overwrite<?> found = null;
    Task owner = null;
    for (int i = 0; i < bucket.size(); i++) {
      if (!(bucket.write(i) instanceof Write.Overwrite<?> overwrite)) continue;
      if (found != null) throw concurrent(channel, owner, bucket.by(i));
      found = overwrite;
      owner = bucket.by(i);
    }
    return found;
  }

  /// Returns what the task of an overwrite wrote after it; null if nothing.
  private static @Nullable Bucket after(Bucket bucket, Write.Overwrite<?> overwrite) {
    Bucket rest = null;
    int from = 0;
    while (!overwrite.equals(bucket.write(from))) from++;
    var owner = bucket.by(from);
    for (int i = from + 1; i < bucket.size(); i++) {
      if (!Objects.equals(bucket.by(i), owner)) continue;
      if (rest == null) rest = new Bucket();
      rest.add(bucket.write(i), owner);
    }
    return rest;
  }

  private static void single(Channel<?, ?> channel, Bucket bucket) {
    var first = bucket.firstBy;
    if (bucket.size() > 1) throw concurrent(channel, first, bucket.by(1));
    if (bucket.write(0) instanceof Write.PutAll<?> all && all.values().size() != 1) {
      throw concurrent(channel, first, first);
    }
  }

  private static ConcurrentWrites concurrent(
      Channel<?, ?> channel, @Nullable Task first, @Nullable Task second) {
    return new ConcurrentWrites(channel.name(), writer(first), writer(second));
  }

  private static TokenUnread overwritten(Channel<?, ?> channel, Bucket bucket) {
    return new TokenUnread(channel.name(), writer(bucket.firstBy));
  }

  private static ConcurrentWrites.Writer writer(@Nullable Task task) {
    return task == null
        ? new ConcurrentWrites.Writer("input", Topology.START)
        : new ConcurrentWrites.Writer(task.id(), task.node());
  }

  /// A sorted map from places, of nodes or of channels. Mostly it has a single entry, which it
  /// holds itself. One thread, for one superstep.
  static final class ByPlace<T> {
    static final int NONE = -1;

    private int place = NONE;
    private @Nullable T value;
    // All entries, once there is more than one.
    private @Nullable TreeMap<Integer, T> many;

    @Nullable T get(int at) {
      if (many != null) return many.get(at);
      return at == place ? value : null;
    }

    void put(int at, T next) {
      if (many == null && (place == NONE || place == at)) {
        place = at;
        value = next;
        return;
      }
      if (many == null) {
        many = new TreeMap<>();
        many.put(place, Objects.requireNonNull(value));
      }
      many.put(at, next);
    }

    /// The first place with an entry that is not before this one; NONE if there is none.
    int next(int from) {
      if (many == null) return place >= from ? place : NONE;
      var found = many.ceilingKey(from);
      return found == null ? NONE : found;
    }

    int size() {
      if (many != null) return many.size();
      return place == NONE ? 0 : 1;
    }
  }
}
