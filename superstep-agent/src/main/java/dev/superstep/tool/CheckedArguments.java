package dev.superstep.tool;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/// Arguments as their check has read them, for the calls that mostly follow at once. Each is taken
/// by one call, since handlers may change what they get. Bounded: a later one takes the place of an
/// earlier one, whose call then reads its arguments again. Safe for many threads.
final class CheckedArguments {
  private static final int PLACES = 16;

  private final AtomicReferenceArray<@Nullable Entry> entries = new AtomicReferenceArray<>(PLACES);

  private record Entry(String text, Object value) {}

  /// @param text as the model wrote them
  void put(String text, Object value) {
    entries.set(place(text), new Entry(text, value));
  }

  /// Removes and returns the value, or null if it is not here any more.
  @Nullable Object take(String text) {
    int place = place(text);
    var entry = entries.get(place);
    boolean isMine = entry != null && entry.text().equals(text);
    return isMine && entries.compareAndSet(place, entry, null) ? entry.value() : null;
  }

  private static int place(String text) {
    return Math.floorMod(text.hashCode(), PLACES);
  }
}
