package dev.superstep.language.bounds;

import dev.superstep.language.Span;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;

/// The most of something that a run can take. Immutable.
public sealed interface Bound {
  /// A known amount.
  record AtMost(BigDecimal amount) implements Bound {}

  /// No amount is known to be enough.
  ///
  /// @param causes the items because of which; not all if there are many
  record Unbounded(List<Cause> causes) implements Bound {
    private static final int CAUSES_MAX = 8;

    public Unbounded {
      causes = List.copyOf(causes.subList(0, Math.min(causes.size(), CAUSES_MAX)));
    }
  }

  /// A reason why there is no bound.
  ///
  /// @param why a sentence without a full stop
  /// @param span the item
  record Cause(String why, Span span) {}

  static Bound of(long amount) {
    return new AtMost(BigDecimal.valueOf(amount));
  }

  static Bound unbounded(String why, Span span) {
    return new Unbounded(List.of(new Cause(why, span)));
  }

  /// Returns the bound of both together.
  default Bound plus(Bound other) {
    return switch (this) {
      case AtMost(var mine) when other instanceof AtMost(var theirs) ->
          new AtMost(mine.add(theirs));
      case AtMost _ -> other;
      case Unbounded(var mine) -> {
        if (!(other instanceof Unbounded(var theirs))) yield this;
        var all = new ArrayList<>(mine);
        for (var cause : theirs) if (!all.contains(cause)) all.add(cause);
        yield new Unbounded(all);
      }
    };
  }

  /// Returns the bound of this so many times.
  default Bound times(Bound often) {
    if (isNothing() || often.isNothing()) return of(0);
    return this instanceof AtMost(var mine) && often instanceof AtMost(var theirs)
        ? new AtMost(mine.multiply(theirs))
        : often.plus(this) instanceof Unbounded both ? both : this;
  }

  /// Returns the bound that holds if no more than this is let through.
  default Bound atMost(BigDecimal limit) {
    return this instanceof AtMost(var mine) && mine.compareTo(limit) <= 0
        ? this
        : new AtMost(limit);
  }

  /// Returns the higher one.
  default Bound or(Bound other) {
    if (this instanceof AtMost(var mine) && other instanceof AtMost(var theirs)) {
      return mine.compareTo(theirs) >= 0 ? this : other;
    }
    return plus(other);
  }

  default boolean isNothing() {
    return this instanceof AtMost(var amount) && amount.signum() == 0;
  }

  /// Returns whether a run may take more than this.
  default boolean passes(BigDecimal limit) {
    return !(this instanceof AtMost(var amount)) || amount.compareTo(limit) > 0;
  }
}
