package dev.superstep.state;

import dev.superstep.json.Codec;
import dev.superstep.json.Json;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A named, typed slot of a graph's state. Nodes read a value of type `V` and write values of type
/// `W`; a reducer folds the writes of a superstep into the value, in task order.
///
/// Declare a channel once as a constant and use that constant everywhere: the constant carries the
/// types, so neither casts nor names appear in nodes. Immutable; one channel may serve many graphs.
///
/// @param <V> the value, as nodes and routers read it
/// @param <W> one write
public final class Channel<V, W> {
  private static final Pattern NAME = Pattern.compile("[a-zA-Z_][a-zA-Z0-9_:-]{0,199}");

  private static final int SNAPSHOT_EVERY = 1_000;

  private final String name;
  private final String kind;
  private final Reducer<V, W> reducer;
  private final Codec<V> values;
  private final Codec<W> writes;
  private final @Nullable Items<V> items;

  Channel(String name, String kind, Reducer<V, W> reducer, Codec<V> values, Codec<W> writes) {
    this(name, kind, reducer, values, writes, null);
  }

  Channel(
      String name,
      String kind,
      Reducer<V, W> reducer,
      Codec<V> values,
      Codec<W> writes,
      @Nullable Items<V> items) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          ("Channel name `%s` must start with a letter or `_` and hold at most 200 letters,"
                  + " digits, `_`, `-` or `:`.")
              .formatted(name));
    }
    this.name = name;
    this.kind = kind;
    this.reducer = reducer;
    this.values = values;
    this.writes = writes;
    this.items = items;
  }

  /// Holds the last value written; absent until then. Two writes in one superstep are an error.
  public static <V> Channel<V, V> latest(String name, Class<V> type) {
    return latest(name, Codec.of(type));
  }

  /// Holds the last value written, for types that a class cannot name.
  public static <V> Channel<V, V> latest(String name, Codec<V> codec) {
    return new Channel<>(name, "latest", new Latest<>(false, true), codec, codec);
  }

  /// A channel whose writes are folded by a reducer that was made elsewhere, such as that of
  /// another channel or a registered one.
  public static <V, W> Channel<V, W> reducedBy(
      String name, Reducer<V, W> reducer, Codec<V> values, Codec<W> writes) {
    return switch (reducer) {
      case Combine<?> _ -> new Channel<>(name, "reduce", reducer, values, writes);
      case Delta<V, W> delta ->
          new Channel<>(name, "delta", delta, values, writes, delta.items(values, writes));
      default -> new Channel<>(name, "folding", reducer, values, writes);
    };
  }

  /// Holds the last value written, like [#latest(String, Class)], but takes several writes in one
  /// superstep: the last in task order wins. For values of which any will do.
  public static <V> Channel<V, V> any(String name, Class<V> type) {
    return any(name, Codec.of(type));
  }

  /// Like [#any(String, Class)], for types that a class cannot name.
  public static <V> Channel<V, V> any(String name, Codec<V> codec) {
    return new Channel<>(name, "any", new Latest<>(true, true), codec, codec);
  }

  /// A channel that has a value for one superstep: the routers after the writing node and the nodes
  /// of the next superstep see it, then it is absent unless it is written again. Two writes in one
  /// superstep are an error.
  public static <V> Channel<V, V> ephemeral(String name, Class<V> type) {
    return ephemeral(name, Codec.of(type));
  }

  /// Like [#ephemeral(String, Class)], for types that a class cannot name.
  public static <V> Channel<V, V> ephemeral(String name, Codec<V> codec) {
    return new Channel<>(name, "ephemeral", new Latest<>(false, false), codec, codec);
  }

  /// The list of what was written in the last superstep, in task order; empty when nobody wrote. A
  /// topic that accumulates is [#append(String, Class)], or [#union(String, Class)] without
  /// repetitions.
  public static <T> Channel<List<T>, T> topic(String name, Class<T> type) {
    return new Channel<>(name, "topic", new Topic<>(), Codec.listOf(type), Codec.of(type));
  }

  /// A channel that has a value until the node that it triggers has run: see
  /// [dev.superstep.graph.GraphBuilder#trigger]. Everybody sees it until the superstep of that node
  /// is folded; then it is absent, unless that superstep writes it again. Two writes in one
  /// superstep are an error, and so is a write over a token that no node has consumed. A token for
  /// which no node waits is a result: it stays until the thread gets new input.
  public static <V> Channel<V, V> token(String name, Class<V> type) {
    return token(name, Codec.of(type));
  }

  /// Like [#token(String, Class)], for types that a class cannot name.
  public static <V> Channel<V, V> token(String name, Codec<V> codec) {
    return new Channel<>(name, "token", new Token<>(), codec, codec);
  }

  /// A barrier: nodes write their names, and there is a value, the set of all names, once each was
  /// written, in whichever supersteps; a second write of a name counts once. The node that it
  /// triggers takes it like a [#token(String, Class)], and the next round begins. Writing another
  /// name is an error.
  ///
  /// @param names at least one
  public static Channel<Set<String>, String> barrier(String name, Set<String> names) {
    if (names.isEmpty()) throw new IllegalArgumentException("names must not be empty");
    var barrier = new Barrier(name, names.stream().sorted().toList());
    return new Channel<>(
        name, "barrier", barrier, Codec.setOf(String.class), Codec.of(String.class));
  }

  /// A barrier that counts: there is a value, the list of what was written, once at least `enough`
  /// was. The node that it triggers takes all of it, and the next round begins.
  public static <T> Channel<List<T>, T> gather(String name, Class<T> type, int enough) {
    if (enough < 1) throw new IllegalArgumentException("enough must be at least 1, was " + enough);
    var codec = Codec.of(type);
    return new Channel<>(
        name, "gather", new Gather<>(enough), Codec.listOf(type), codec, new Items<>(codec));
  }

  /// A channel that has the last value written for the rest of the run, and is never stored:
  /// neither in checkpoints nor in the results of tasks. When a thread is resumed, or given new
  /// input, the value is absent, so read it with `find` and make it again. The type may be any,
  /// such as a connection. Two writes in one superstep are an error.
  public static <V> Channel<V, V> untracked(String name, Class<V> type) {
    var nothing = new Unstored<V>(type.getSimpleName());
    return new Channel<>(name, "untracked", new Latest<>(false, true), nothing, nothing);
  }

  /// A list that only grows: every write adds one item. Stored as a log, so that a run which
  /// appends without end costs the same per step.
  public static <T> Channel<List<T>, T> append(String name, Class<T> type) {
    return append(name, Codec.of(type));
  }

  /// Like [#append(String, Class)], for items that a class cannot name.
  public static <T> Channel<List<T>, T> append(String name, Codec<T> item) {
    var list = new ListCodec<>(item);
    return new Channel<>(name, "append", new Append<>(), list, item, new Items<>(item));
  }

  /// A list whose items have ids: a write with a known id replaces that item in place, any other is
  /// added at the end. Stored as a log of its changes, so that a superstep stores what it wrote.
  ///
  /// @param id returns the id of an item; never empty
  public static <T> Channel<List<T>, T> byId(String name, Class<T> type, Function<T, String> id) {
    return byId(name, type, id, (item, _) -> item);
  }

  /// Like [#byId(String, Class, Function)], for items that may come without an id.
  ///
  /// @param withId gives an item the fresh id that is made for it when its id is empty
  public static <T> Channel<List<T>, T> byId(
      String name, Class<T> type, Function<T, String> id, BiFunction<T, String, T> withId) {
    var codec = Codec.of(type);
    var reducer = new ByIdLog<>(new ById<>(id, withId));
    return new Channel<>(name, "by-id", reducer, Codec.listOf(type), codec, reducer.items(codec));
  }

  /// A map into which every write is merged, key by key. Stored as a log of its changes, so that a
  /// superstep stores what it wrote.
  public static <T> Channel<Map<String, T>, Map<String, T>> merge(String name, Class<T> type) {
    var codec = Codec.mapOf(type);
    return new Channel<>(name, "merge", new Merge<>(), codec, codec, Merge.items(codec));
  }

  /// A set to which every write adds one element, in the order of arrival. Stored as a log, as
  /// [#append(String, Class)] is.
  public static <T> Channel<Set<T>, T> union(String name, Class<T> type) {
    var codec = Codec.of(type);
    return new Channel<>(
        name, "union", new Union<>(), Codec.setOf(type), codec, Union.items(codec));
  }

  /// A whole number to which every write is added; starts at 0. Overflow is an error.
  public static Channel<Long, Long> sum(String name) {
    return reduce(name, "sum", Codec.of(Long.class), 0L, Math::addExact);
  }

  /// The smallest value written; absent until then.
  public static <T extends Comparable<? super T>> Channel<T, T> min(String name, Class<T> type) {
    return reduce(name, "min", Codec.of(type), null, (a, b) -> b.compareTo(a) < 0 ? b : a);
  }

  /// The largest value written; absent until then.
  public static <T extends Comparable<? super T>> Channel<T, T> max(String name, Class<T> type) {
    return reduce(name, "max", Codec.of(type), null, (a, b) -> b.compareTo(a) > 0 ? b : a);
  }

  /// Combines every write with the value by a function of your own, which must be free of side
  /// effects. With an associative and commutative one, the order of tasks does not matter.
  public static <T> Channel<T, T> reduce(
      String name, Class<T> type, T initial, BinaryOperator<T> combine) {
    return reduce(name, "reduce", Codec.of(type), Objects.requireNonNull(initial), combine);
  }

  /// Folds every write into a value of another type by a function of your own, in task order. The
  /// function must be free of side effects, and returns a new value instead of changing the old
  /// one. The value is stored whole and compared with the one before, so it should be small.
  public static <V, W> Channel<V, W> folding(
      String name, Class<V> valueType, Class<W> writeType, V initial, BiFunction<V, W, V> fold) {
    return folding(name, Codec.of(valueType), Codec.of(writeType), initial, fold);
  }

  /// Like [#folding(String, Class, Class, Object, BiFunction)], for types that a class cannot name.
  public static <V, W> Channel<V, W> folding(
      String name, Codec<V> values, Codec<W> writes, V initial, BiFunction<V, W, V> fold) {
    var reducer = new FoldInto<>(Objects.requireNonNull(initial), fold);
    return new Channel<>(name, "folding", reducer, values, writes);
  }

  /// A JSON object to which every write is applied as a merge patch (RFC 7396): objects are merged
  /// at any depth, null removes a member, and anything else replaces what was there. For values
  /// whose form the program does not know; where it does, [#merge] and a record are better.
  public static Channel<Json, Json> patch(String name) {
    var json = Codec.of(Json.class);
    return folding(name, json, json, Json.parse("{}"), MergePatch::apply);
  }

  /// Folds like [#folding(String, Class, Class, Object, BiFunction)], for values that are large: a
  /// checkpoint stores what was written, not the value, and [#snapshotEvery] says how often the
  /// value itself is. Reading a thread folds the stored writes again, so the function must give the
  /// same in every process. It returns the very value that it was given if a write changes nothing;
  /// values are not compared.
  public static <V, W> Channel<V, W> delta(
      String name, Class<V> valueType, Class<W> writeType, V initial, BiFunction<V, W, V> fold) {
    return delta(name, Codec.of(valueType), Codec.of(writeType), initial, fold);
  }

  /// Like [#delta(String, Class, Class, Object, BiFunction)], for types that a class cannot name.
  public static <V, W> Channel<V, W> delta(
      String name, Codec<V> values, Codec<W> writes, V initial, BiFunction<V, W, V> fold) {
    var delta = new Delta<>(Objects.requireNonNull(initial), fold, SNAPSHOT_EVERY);
    return new Channel<>(name, "delta", delta, values, writes, delta.items(values, writes));
  }

  /// This delta channel, but its value is stored whole after this many writes; 1,000 if nothing is
  /// said. More makes checkpoints smaller and threads slower to read. May change in the program
  /// while threads are under way.
  ///
  /// @throws IllegalArgumentException if this is no delta channel
  public Channel<V, W> snapshotEvery(int many) {
    if (many < 1) throw new IllegalArgumentException("writes must be at least 1, was " + many);
    if (!(reducer instanceof Delta<V, W>(var start, var fold, _))) {
      throw new IllegalArgumentException(
          "channel `" + name + "` is " + kind + "; only delta channels have snapshots");
    }
    var delta = new Delta<>(start, fold, many);
    return new Channel<>(name, kind, delta, values, writes, delta.items(values, writes));
  }

  private static <T> Channel<T, T> reduce(
      String name, String kind, Codec<T> codec, @Nullable T initial, BinaryOperator<T> combine) {
    return new Channel<>(name, kind, new Combine<>(initial, combine), codec, codec);
  }

  /// This list channel, but only the newest `items` items stay; older ones are dropped when a
  /// superstep's writes have been folded. Declare the derived channel as the constant. Adding an
  /// item costs O(1) on average, in memory and in the store, where it is written at most twice.
  ///
  /// @throws IllegalArgumentException if this is no append or by-id channel
  public Channel<V, W> keepLast(int items) {
    if (items < 1) {
      throw new IllegalArgumentException("items must be at least 1, was " + items);
    }
    return cut(new ListCut.Newest<>(items, _ -> 1));
  }

  /// This list channel, but only as many of the newest items stay as weigh at most `budget`
  /// together, such as the tokens that a model can read; older ones are dropped as in [#keepLast].
  /// The newest item stays even if it alone is too heavy.
  ///
  /// @param weigher the weight of an item, 0 or more; always the same for the same item
  /// @throws IllegalArgumentException if this is no append or by-id channel
  public Channel<V, W> keepWithin(long budget, ToLongFunction<W> weigher) {
    if (budget < 1) {
      throw new IllegalArgumentException("budget must be at least 1, was " + budget);
    }
    return cut(new ListCut.Newest<>(budget, weigher));
  }

  /// This list channel, but only the `items` greatest items stay, such as those that score best; of
  /// items of equal rank, the older stays. The remaining items stay in the order of their arrival.
  /// A superstep that writes costs O(`items`), and a write that is not among the greatest changes
  /// nothing: the channel's version stays.
  ///
  /// @param order compares the ranks of items; free of side effects
  /// @throws IllegalArgumentException if this is no append or by-id channel
  public Channel<V, W> keepTop(int items, Comparator<? super W> order) {
    if (items < 1) {
      throw new IllegalArgumentException("items must be at least 1, was " + items);
    }
    return cut(new ListCut.Top<>(items, order));
  }

  /// This list channel, but of items with the same key only the oldest stays; [#byId] is the
  /// channel in which the newest takes its place. A repeated item is no write: the channel's
  /// version stays. Costs O(writes) for an append channel, also with [#keepLast] or [#keepWithin]
  /// after it; O(items) if the channel has ids or is cut in another way before.
  ///
  /// With `keepLast`, `keepWithin` and `keepTop` this makes a list that is cut in several ways, in
  /// the order of the calls, whenever a superstep's writes have been folded. An item that has
  /// fallen out is forgotten: if it comes again, it is new.
  ///
  /// @param key returns the key of an item; free of side effects
  /// @throws IllegalArgumentException if this is no append or by-id channel
  public Channel<V, W> dedupBy(Function<W, String> key) {
    return cut(new ListCut.Once<>(key));
  }

  @SuppressWarnings("unchecked") // a channel with items is one whose value is a list of its writes
  private Channel<V, W> cut(ListCut<W> cut) {
    var list = CutList.cut((Reducer<List<W>, W>) reducer, cut);
    if (list == null) {
      throw new IllegalArgumentException(
          "channel `" + name + "` is " + kind + "; only append and by-id channels drop items");
    }
    var stored = list instanceof Bounded<W> some ? some.items(writes) : new Items<List<W>>(writes);
    var codec = (Codec<List<W>>) values;
    return (Channel<V, W>) new Channel<>(name, CutList.kind(list), list, codec, writes, stored);
  }

  /// Returns true if a list is known to begin with all items of an earlier one, because it grew
  /// from it in an append or by-id channel. Its cost hardly grows with the lists.
  public static boolean isExtension(List<?> list, List<?> earlier) {
    if (list instanceof KeyedViews.ListView<?> longer) {
      return earlier instanceof KeyedViews.ListView<?> shorter
          && longer.list().extendsLine(shorter.list());
    }
    return list instanceof AppendList<?> longer
        && earlier instanceof AppendList<?> shorter
        && longer.extendsLine(shorter);
  }

  /// Returns true if a list can never change, because it is the value of an append or by-id
  /// channel.
  public static boolean isImmutable(List<?> list) {
    return list instanceof AppendList<?> || list instanceof KeyedViews.ListView<?>;
  }

  /// The name under which the value is stored and shown.
  public String name() {
    return name;
  }

  /// The kind of channel: `latest`, `any`, `ephemeral`, `topic`, `token`, `barrier`, `gather`,
  /// `untracked`, `append`, `by-id`, `merge`, `union`, `sum`, `min`, `max`, `reduce`, `folding` or
  /// `delta`; `append-distinct` for lists without repetitions; with `-bounded` after that for lists
  /// that drop their oldest items, and with `-sifted` for those that drop others or in several
  /// ways.
  public String kind() {
    return kind;
  }

  /// The names, or the number of writes, that a barrier waits for; empty for other channels.
  public List<String> awaited() {
    return switch (reducer) {
      case Barrier(_, var names) -> names;
      case Gather<?>(var enough) -> List.of(String.valueOf(enough));
      default -> List.of();
    };
  }

  /// The reducer that folds writes into the value.
  public Reducer<V, W> reducer() {
    return reducer;
  }

  /// The codec of the value.
  public Codec<V> values() {
    return values;
  }

  /// The codec of one write.
  public Codec<W> writes() {
    return writes;
  }

  /// Returns whether the value is stored. If not, its codecs serve only for the type's name.
  public boolean isTracked() {
    return !(values instanceof Unstored<V>);
  }

  /// The form in which the value is stored item by item; empty for channels that are stored whole.
  public java.util.Optional<Items<V>> items() {
    return java.util.Optional.ofNullable(items);
  }

  /// Name, kind and type: what a graph's identity depends on.
  @Override
  public String toString() {
    return name + ": " + kind + " " + values.type();
  }
}
