package dev.superstep.terminal;

/// A piece of what a model is shown.
///
/// @param importance which pieces stay when there is too much
/// @param age how many pieces of its kind are newer
/// @param label what it is, in our words
/// @param text as it was said or printed
record ContextPiece(
    Provenance provenance, Importance importance, int age, String label, String text) {
  private static final double DECAY = 0.9;

  /// The importance of a piece when it is new.
  enum Importance {
    /// It always stays.
    CRITICAL(8),
    HIGH(4),
    MEDIUM(2),
    LOW(1);

    private final double weight;

    Importance(double weight) {
      this.weight = weight;
    }
  }

  /// The weight of the piece: what is older counts less.
  double weight() {
    return importance.weight * Math.pow(DECAY, age);
  }

  boolean isCritical() {
    return importance == Importance.CRITICAL;
  }
}
