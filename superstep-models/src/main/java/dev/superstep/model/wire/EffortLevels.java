package dev.superstep.model.wire;

import dev.superstep.model.Effort;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// The levels of effort that a model knows, from the least to the most.
///
/// @param known empty for a model that is not told
record EffortLevels(List<Effort> known) {
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
      int gap = Math.abs(one.ordinal() - wanted.ordinal());
      if (best == null || gap < Math.abs(best.ordinal() - wanted.ordinal())) best = one;
    }
    return Optional.ofNullable(best);
  }

  /// The word for a level, which all vendors write in the same way.
  static String word(Effort level) {
    return level.name().toLowerCase(Locale.ROOT);
  }
}
