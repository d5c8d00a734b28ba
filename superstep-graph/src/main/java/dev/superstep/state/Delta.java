package dev.superstep.state;

import dev.superstep.json.Codec;
import dev.superstep.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/// Folds each write into the value by a function, and keeps the writes since the value was last
/// stored whole, so that a superstep stores what it wrote.
///
/// The stored value is a [Log]: whatever has the type `V` here between two folds, other than in
/// [#read] and in the values of overwrites, is a log.
///
/// @param every after how many writes the value is stored whole again
record Delta<V, W>(V start, BiFunction<V, W, V> fold, int every) implements Reducer<V, W> {
  /// The value and how it is stored.
  ///
  /// @param entries the value at some time, then what was written since, one for each superstep;
  ///   empty before the first write
  /// @param writes how many writes the entries hold
  private record Log<V, W>(V value, AppendList<Entry<V, W>> entries, int writes) {}

  private sealed interface Entry<V, W> {
    record Whole<V, W>(V value) implements Entry<V, W> {}

    record Written<V, W>(List<W> writes) implements Entry<V, W> {}
  }

  @Override
  public V initial() {
    return logValue(new Log<>(start, AppendList.empty(), 0));
  }

  @Override
  public boolean isReadDerived() {
    return true;
  }

  @Override
  public V read(V kept) {
    return log(kept).value();
  }

  @Override
  public boolean isSame(V one, V other) {
    return read(one).equals(read(other));
  }

  @Override
  public V adopt(V value) {
    return logValue(whole(value));
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // on purpose, see below
  public Folded<V> fold(@Nullable V current, List<W> writes) {
    var before = log(current == null ? initial() : current);
    var next = applied(before.value(), writes);
    // The function says itself whether anything changed: comparing would cost O(state).
    if (next == before.value()) return new Folded<>(logValue(before), false, Integer.MAX_VALUE);
    long since = (long) before.writes() + writes.size();
    if (before.entries().isEmpty() || since > every) return new Folded<>(adopt(next), true, 0);
    var entries = before.entries().plus(List.of(new Entry.Written<V, W>(List.copyOf(writes))));
    var log = new Log<>(next, entries, (int) since);
    return new Folded<>(logValue(log), true, before.entries().size());
  }

  private V applied(V value, List<W> writes) {
    var next = value;
    for (var write : writes) next = Objects.requireNonNull(fold.apply(next, write), "fold");
    return next;
  }

  private Log<V, W> whole(V value) {
    return new Log<>(
        value, AppendList.<Entry<V, W>>empty().plus(List.of(new Entry.Whole<V, W>(value))), 0);
  }

  @SuppressWarnings("unchecked") // see above: whoever keeps a value keeps it as it was given
  private V logValue(Log<V, W> log) {
    return (V) log;
  }

  @SuppressWarnings("unchecked")
  private Log<V, W> log(V kept) {
    return (Log<V, W>) kept;
  }

  Items<V> items(Codec<V> values, Codec<W> writes) {
    return new Items<>(new Form(values, writes));
  }

  /// Returns the value of such entries, folded again.
  static <V, W> Optional<V> refolded(List<Json> entries, Channel<V, W> channel) {
    var codec = Codec.of(Stored.class);
    var reducer = channel.reducer();
    @Nullable V value = null;
    for (var entry : entries) {
      switch (codec.decode(entry)) {
        case Stored.Whole(var whole) -> value = reducer.adopt(channel.values().decode(whole));
        case Stored.Written(var some) -> {
          if (!(reducer instanceof FoldInto<V, W>)) return Optional.empty();
          value = reducer.fold(value, some.stream().map(channel.writes()::decode).toList()).value();
        }
      }
    }
    return Optional.ofNullable(value);
  }

  /// An entry as it is stored.
  sealed interface Stored {
    /// The value in one piece.
    record Whole(Json value) implements Stored {}

    /// The writes of one superstep.
    record Written(List<Json> writes) implements Stored {}
  }

  private final class Form implements Items.Form<V> {
    private final Codec<Stored> entries = Codec.of(Stored.class);
    private final Codec<V> values;
    private final Codec<W> writes;

    Form(Codec<V> values, Codec<W> writes) {
      this.values = values;
      this.writes = writes;
    }

    @Override
    public List<Json> encode(V value, int from) {
      var all = log(value).entries();
      var encoded = new ArrayList<Json>(all.size() - from);
      for (var entry : all.subList(from, all.size()))
        encoded.add(entries.encodeLazily(stored(entry)));
      return encoded;
    }

    private Stored stored(Entry<V, W> entry) {
      return switch (entry) {
        case Entry.Whole<V, W>(var value) -> new Stored.Whole(values.encodeLazily(value));
        case Entry.Written<V, W>(var some) ->
            new Stored.Written(some.stream().map(writes::encodeLazily).toList());
      };
    }

    @Override
    public V decode(List<Json> items) {
      var log = new Log<V, W>(start, AppendList.empty(), 0);
      for (var item : items) {
        log =
            switch (entries.decode(item)) {
              case Stored.Whole(var value) -> whole(values.decode(value));
              case Stored.Written(var some) -> written(log, some);
            };
      }
      return logValue(log);
    }

    private Log<V, W> written(Log<V, W> log, List<Json> some) {
      var decoded = some.stream().map(writes::decode).toList();
      var entry = new Entry.Written<V, W>(decoded);
      return new Log<>(
          applied(log.value(), decoded),
          log.entries().plus(List.of(entry)),
          Math.addExact(log.writes(), decoded.size()));
    }
  }
}
