package dev.superstep.store.jdbc;

import dev.superstep.json.Codec;
import dev.superstep.json.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Where the values of a checkpoint's channels are. Kept as one array of numbers, because it is
/// written with every checkpoint. Immutable.
///
/// @param refs by key of the channel, in the order in which channels got their first value
record ChannelRefs(Map<Long, Ref> refs) {
  private static final Codec<List<Long>> NUMBERS = Codec.listOf(Long.class);
  private static final int NUMBERS_EACH = 4;
  private static final long WHOLE = -1;
  private static final long CLEARED = -2;

  static final ChannelRefs NONE = new ChannelRefs(Map.of());

  /// A version of a channel's value.
  record Ref(long version, Place place) {}

  /// Where a value is.
  sealed interface Place {
    /// A row of its own.
    record Value(long id) implements Place {}

    /// The first items of a log.
    record Prefix(long log, int length) implements Place {
      /// The list that was never there.
      static final Prefix NONE = new Prefix(0, 0);
    }

    /// Nowhere: the channel was cleared.
    record Cleared() implements Place {}
  }

  Optional<Place> place(long channel) {
    return Optional.ofNullable(refs.get(channel)).map(Ref::place);
  }

  ChannelRefs with(Map<Long, Ref> changed) {
    var all = new LinkedHashMap<>(refs);
    all.putAll(changed);
    return new ChannelRefs(all);
  }

  String text() {
    var numbers = new ArrayList<Long>(NUMBERS_EACH * refs.size());
    refs.forEach((channel, ref) -> {
      numbers.add(channel);
      numbers.add(ref.version());
      switch (ref.place()) {
        case Place.Value(var id) -> numbers.addAll(List.of(id, WHOLE));
        case Place.Prefix(var log, var length) -> numbers.addAll(List.of(log, (long) length));
        case Place.Cleared() -> numbers.addAll(List.of(0L, CLEARED));
      }
    });
    return NUMBERS.encode(numbers).text();
  }

  /// @throws dev.superstep.json.MalformedJson if it is no array of numbers
  /// @throws IllegalArgumentException if they are not what [#text] writes
  static ChannelRefs parse(String text) {
    var numbers = NUMBERS.decode(new Json(text));
    if (numbers.size() % NUMBERS_EACH != 0 || numbers.stream().anyMatch(n -> n == null)) {
      throw new IllegalArgumentException("the references to its channels are incomplete");
    }
    var refs = new LinkedHashMap<Long, Ref>();
    for (int i = 0; i < numbers.size(); i += NUMBERS_EACH) {
      refs.put(numbers.get(i), ref(numbers.subList(i, i + NUMBERS_EACH)));
    }
    return new ChannelRefs(refs);
  }

  private static Ref ref(List<Long> numbers) {
    long place = numbers.get(2);
    long length = numbers.get(3);
    if (length == WHOLE) return new Ref(numbers.get(1), new Place.Value(place));
    if (length == CLEARED) return new Ref(numbers.get(1), new Place.Cleared());
    if (length < 0 || length > Integer.MAX_VALUE) {
      throw new IllegalArgumentException("a log of it has length " + length);
    }
    return new Ref(numbers.get(1), new Place.Prefix(place, (int) length));
  }
}
