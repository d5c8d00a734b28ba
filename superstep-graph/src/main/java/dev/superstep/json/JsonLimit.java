package dev.superstep.json;

import java.util.Optional;

/// Limits of the JSON that can be read. They are checked before a value is stored, so that nothing
/// is saved that could never be read again.
public enum JsonLimit {
  /// Characters in a string.
  STRING(64 * 1024 * 1024, "a string of %,d characters"),
  /// Characters in a number.
  NUMBER(1_000, "a number of %,d characters"),
  /// Characters in the name of a property, such as a key of a map.
  NAME(50_000, "a name of %,d characters"),
  /// Nested objects and lists. Less than what can be read, because a program's value is stored
  /// inside other values.
  NESTING(400, "%,d levels of nesting");

  /// The deepest nesting of a value folded from others, which is deeper than a single value may be.
  static final int FOLDED_NESTING = 450;

  /// The deepest nesting that is read back: a stored value and whatever was stored around it.
  static final int READ_NESTING = 500;

  // No shorter text goes over a limit.
  private static final int SHORT = 800;

  private final int most;
  private final String unit;

  JsonLimit(int most, String unit) {
    this.most = most;
    this.unit = unit;
  }

  /// The most that is allowed.
  public int most() {
    return most;
  }

  /// A value that goes over a limit.
  ///
  /// @param limit which one
  /// @param found how much it has; for nesting, the first level that is too deep
  /// @param most how much it may have
  public record Excess(JsonLimit limit, int found, int most) {
    @Override
    public String toString() {
      return limit.unit.formatted(found) + ", and at most " + "%,d".formatted(most) + " can be";
    }
  }

  /// The first limit that a value goes over, if it does; it is one that a program gives. Costs O(1)
  /// for short values.
  public static Optional<Excess> exceeded(Json value) {
    return exceeded(value, NESTING.most);
  }

  /// Like [#exceeded], for a value that was folded from several, which may nest a little deeper.
  public static Optional<Excess> exceededWhenFolded(Json value) {
    return exceeded(value, FOLDED_NESTING);
  }

  private static Optional<Excess> exceeded(Json value, int nesting) {
    var text = value.text();
    return text.length() < SHORT
        ? Optional.empty()
        : Optional.ofNullable(new JsonScan(text, nesting).excess());
  }

  Optional<Excess> over(int found) {
    return found > most ? Optional.of(new Excess(this, found, most)) : Optional.empty();
  }
}
