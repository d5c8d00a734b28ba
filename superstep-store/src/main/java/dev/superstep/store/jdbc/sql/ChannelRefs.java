package dev.superstep.store.jdbc.sql;

import dev.superstep.json.Json;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;

/// References to the values of a checkpoint's channels; small values are stored inline. Stored as
/// one array with four elements for each channel, because it is written with every checkpoint.
/// Immutable.
///
/// @param refs by key of the channel, in the order in which channels got their first value
public record ChannelRefs(Map<Long, Ref> refs) {
  private static final int ELEMENTS_EACH = 4;
  private static final long WHOLE = -1;
  private static final long CLEARED = -2;
  private static final long SMALL = -3;
  // Every later checkpoint repeats it, so hardly more than a reference to a row.
  private static final int SMALL_MAX = 40;

  /// A version of a channel's value.
  public record Ref(long version, Place place) {}

  /// The place of a value.
  public sealed interface Place {
    /// A row of its own.
    record Value(long id) implements Place {}

    /// The value itself: a row of its own and its index entry would cost more to write.
    ///
    /// @param text JSON, if nobody has changed it
    record Small(String text) implements Place {}

    /// The first items of a log.
    record Prefix(long log, int length) implements Place {
      /// The list that was never there.
      public static final Prefix NONE = new Prefix(0, 0);
    }

    /// No value: the channel was cleared.
    record Cleared() implements Place {}
  }

  public static boolean isSmall(Json value) {
    return value.text().length() <= SMALL_MAX;
  }

  public String text() {
    var text = new StringJoiner(",", "[", "]");
    refs.forEach((channel, ref) -> {
      text.add(channel.toString()).add(Long.toString(ref.version()));
      switch (ref.place()) {
        case Place.Value(var id) -> text.add(Long.toString(id)).add(Long.toString(WHOLE));
        case Place.Small(var json) ->
            // As a string, for it must come back as it was written.
            text.add(Json.string(json).text()).add(Long.toString(SMALL));
        case Place.Prefix(var log, var length) ->
            text.add(Long.toString(log)).add(Integer.toString(length));
        case Place.Cleared() -> text.add("0").add(Long.toString(CLEARED));
      }
    });
    return text.toString();
  }

  /// Parses the stored form.
  ///
  /// @throws dev.superstep.json.MalformedJson if it is no array
  /// @throws IllegalArgumentException if its elements are not what [#text] writes
  public static ChannelRefs parse(String text) {
    var elements = Json.unchecked(text).elements();
    if (elements.size() % ELEMENTS_EACH != 0) {
      throw new IllegalArgumentException("the references to its channels are incomplete");
    }
    var refs = new LinkedHashMap<Long, Ref>();
    for (int i = 0; i < elements.size(); i += ELEMENTS_EACH) {
      refs.put(number(elements.get(i)), ref(elements.subList(i, i + ELEMENTS_EACH)));
    }
    return new ChannelRefs(refs);
  }

  /// @throws NumberFormatException if it is none
  private static long number(Json element) {
    return Long.parseLong(element.text());
  }

  private static Place.Small small(Json element) {
    if (!element.text().startsWith("\"")) {
      throw new IllegalArgumentException("a small value of it is no string");
    }
    return new Place.Small(element.as(String.class));
  }

  private static Ref ref(List<Json> elements) {
    long version = number(elements.get(1));
    long length = number(elements.get(3));
    if (length == SMALL) return new Ref(version, small(elements.get(2)));
    long place = number(elements.get(2));
    if (length == WHOLE) return new Ref(version, new Place.Value(place));
    if (length == CLEARED) return new Ref(version, new Place.Cleared());
    if (length < 0 || length > Integer.MAX_VALUE) {
      throw new IllegalArgumentException("a log of it has length " + length);
    }
    return new Ref(version, new Place.Prefix(place, (int) length));
  }
}
