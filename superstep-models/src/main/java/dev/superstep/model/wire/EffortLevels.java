package dev.superstep.model.wire;

import dev.superstep.model.Effort;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// The levels of effort that a model knows, from the least to the most.
///
/// @param known empty for a model that is not told
record EffortLevels(List<Effort> known) {
  private static final List<Effort> ORDER = List.of(Effort.values());

  static final EffortLevels NOT_TOLD = new EffortLevels(List.of());

  EffortLevels {
    known = List.copyOf(known);
  }

  static EffortLevels of(Effort... known) {
    return new EffortLevels(List.of(known));
  }

  /// The nearest level; of two that are as near, the smaller one, which costs less. Empty if the
  /// model is not told.
  Optional<Effort> nearest(Effort wanted) {
    Effort best = null;
    for (var one : known) {
      if (best == null || gap(one, wanted) < gap(best, wanted)) best = one;
    }
    return Optional.ofNullable(best);
  }

  private static int gap(Effort one, Effort other) {
    return Math.abs(ORDER.indexOf(one) - ORDER.indexOf(other));
  }

  /// The word for a level, which all vendors write in the same way.
  static String word(Effort level) {
    return level.name().toLowerCase(Locale.ROOT);
  }
}
